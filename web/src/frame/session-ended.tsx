import { base } from '../lib/base.ts';
import { SignInForm } from '../pages/login/sign-in-form.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { resume } from './session.ts';

/** Asks to sign in again, above the page, which keeps what was typed. */
export default function SessionEnded() {
  return (
    <Dialog
      title="Your session has ended"
      description="Sign in to continue. What you have typed is still here."
      onClose={() => location.assign(`${base}/login?ended=yes`)}
    >
      <SignInForm returnTo={location.pathname.slice(base.length) + location.search} onEntered={resume} />
    </Dialog>
  );
}
