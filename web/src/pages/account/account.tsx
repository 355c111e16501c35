import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { changePassword, renameOneself } from '../../api/account.ts';
import { userQuery } from '../../api/auth.ts';
import { useSave } from '../../api/use-save.ts';
import { usePasswords } from '../../lib/use-passwords.ts';
import { Form } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { NameForm, Setting } from '../../ui/setting.tsx';
import { Toast } from '../../ui/toast.tsx';
import { NewPasswordField, PasswordField } from '../login/password-fields.tsx';
import { Sessions } from './sessions.tsx';
import { TwoFactor } from './two-factor.tsx';

export default function Account() {
  const { data: user } = useSuspenseQuery(userQuery);
  const hasPasswords = usePasswords();
  const [done, setDone] = useState<string | null>(null);
  if (!user) return null;
  const { name, email, uses_totp: usesTotp, has_password: hasPassword } = user;
  return (
    <Page title="Account">
      <div className="max-w-3xl border-line border-t">
        <Setting name="Name" value={name} action="Change">
          {(close) => (
            <NameForm
              label="Your name"
              name={name}
              save={renameOneself}
              changed={userQuery.queryKey}
              onDone={close}
            />
          )}
        </Setting>
        <Setting name="Email" value={email} />
        {hasPasswords && !hasPassword && (
          <Setting name="Sign-in" value="With your provider. This account has no password." />
        )}
        {hasPasswords && hasPassword && (
          <>
            <Setting name="Password" value="Not shown" action="Change">
              {(close) => (
                <Password
                  email={email}
                  onDone={() => {
                    close();
                    setDone('Your password has been changed. Your other sessions have been signed out.');
                  }}
                />
              )}
            </Setting>
            <TwoFactor enabled={usesTotp} />
          </>
        )}
      </div>
      <Sessions />
      {done && (
        <Toast look="success" onClose={() => setDone(null)}>
          {done}
        </Toast>
      )}
    </Page>
  );
}

function Password({ email, onDone }: { email: string; onDone: () => void }) {
  const change = useSave(
    ({ current, password }: { current: string; password: string }) => changePassword(current, password),
    [],
    onDone,
  );
  return (
    <Form names={['current', 'password']} action="Change password" change={change} className="max-w-md">
      {/* For password managers, which need the user's name. */}
      <input hidden name="username" autoComplete="username" value={email} readOnly />
      <PasswordField label="Current password" name="current" />
      <NewPasswordField label="New password" />
    </Form>
  );
}
