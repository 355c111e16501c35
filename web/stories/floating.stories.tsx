import { Confirm } from '../src/ui/confirm.tsx';
import { Dialog } from '../src/ui/dialog.tsx';
import { Facts } from '../src/ui/facts.tsx';
import { TextField } from '../src/ui/field.tsx';
import { FormDialog } from '../src/ui/form.tsx';

const nothing = () => {};

export const WithText = () => (
  <Dialog title="Keyboard" description="What a key does." onClose={nothing}>
    <p>Content</p>
  </Dialog>
);

export const WithForm = () => (
  <FormDialog
    title="New organization"
    description="It has its own members, API keys and quota."
    names={['name']}
    action="Create"
    change={{
      mutate: nothing,
      isPending: false,
      error: new Error('The name must have 1 to 200 characters.'),
    }}
    onClose={nothing}
  >
    <TextField label="Name" name="name" />
  </FormDialog>
);

export const Question = () => (
  <Confirm
    title="Delete “Acme”?"
    description="Every key of this organization is refused from the next request on. This can’t be undone."
    typed="Acme"
    action="Delete"
    change={{ mutate: nothing }}
    onClose={nothing}
  />
);

export const Details = () => (
  <Dialog look="side" title="Request" onClose={nothing}>
    <Facts facts={{ Outcome: '200 counted', Latency: '8.4 ms' }} />
  </Dialog>
);
