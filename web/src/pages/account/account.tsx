import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { renameOneself, userQuery } from '../../api/auth.ts';
import { queryClient } from '../../api/query-client.ts';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { Setting } from '../../ui/setting.tsx';
import { Toast } from '../../ui/toast.tsx';
import { Password } from './password.tsx';
import { Sessions } from './sessions.tsx';
import { TwoFactor } from './two-factor.tsx';

export default function Account() {
  const { data: user } = useSuspenseQuery(userQuery);
  const [done, setDone] = useState<string | null>(null);
  if (!user) return null;
  const { name, email, uses_totp: usesTotp } = user;
  return (
    <Page title="Account">
      <div className="max-w-3xl border-line border-t">
        <Setting name="Name" value={name} action="Change">
          {(close) => <NameForm name={name} onDone={close} />}
        </Setting>
        <Setting name="Email" value={email} />
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

function NameForm({ name: current, onDone }: { name: string; onDone: () => void }) {
  const rename = useMutation({
    mutationFn: ({ name }: { name: string }) => renameOneself(name),
    onSuccess: async () => {
      await queryClient.invalidateQueries(userQuery);
      onDone();
    },
  });
  return (
    <Form names={['name']} action="Save" change={rename}>
      <TextField label="Your name" name="name" defaultValue={current} maxLength={200} required autoFocus />
    </Form>
  );
}
