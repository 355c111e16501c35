import { openKeyLink } from '../../api/keys.ts';
import { useSave } from '../../api/use-save.ts';
import { formatEndMoment } from '../../lib/format.ts';
import { useLinkToken } from '../../lib/link-token.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { LeaveQuestion, OnlyOnce, Secret } from '../../ui/secret.tsx';
import { neverExpires } from '../organization/keys/key-status.ts';
import { LinkCode } from './link-code.tsx';
import { LoginFrame } from './login-frame.tsx';

/** The target of the link that hands a key over. Loading the page opens nothing: scanners of messages do that. */
export default function KeyLink() {
  const token = useLinkToken();
  const open = useSave(() => openKeyLink(token ?? ''), []);
  const { key, name, expires_at: end } = open.data ?? {};
  return (
    <LoginFrame title={name ? `Your key “${name}”` : 'A key for you'}>
      {!token ? (
        <LinkCode />
      ) : key ? (
        <>
          <LeaveQuestion what="key" mayLeave={() => false} />
          <OnlyOnce what="key" />
          <Secret text={key} copy="Copy key" />
          {end && !neverExpires(end) && <p>The key expires on {formatEndMoment(end)}.</p>}
        </>
      ) : (
        <>
          <p>Someone hands an API key over to you. The link works once, so open it where you keep the key.</p>
          <Problem error={open.error} />
          <Button look="primary" pending={open.isPending} onClick={() => open.mutate()}>
            Show the key
          </Button>
        </>
      )}
    </LoginFrame>
  );
}
