import { Notice } from '../../../ui/notice.tsx';
import { Secret } from '../../../ui/secret.tsx';
import { Example } from './example.tsx';
import { FirstRequest } from './first-request.tsx';

interface Props {
  orgId: string;
  keyId: string;
  secret: string;
  model: string;
}

/** The only time that a key is shown. */
export function CreatedKey({ orgId, keyId, secret, model }: Props) {
  return (
    <div className="grid min-w-0 gap-4">
      <Notice look="warning">
        This key is shown only once. Copy it now and keep it where you keep passwords.
      </Notice>
      <Secret text={secret} copy="Copy key" />
      <Example secret={secret} model={model} />
      <FirstRequest orgId={orgId} keyId={keyId} />
    </div>
  );
}
