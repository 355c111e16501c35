import { Plus } from 'lucide-react';
import { Button, type ButtonLook } from '../src/ui/button.tsx';
import { CopyButton, CopyValue } from '../src/ui/copy.tsx';
import { SelectField, TextArea, TextField } from '../src/ui/field.tsx';
import { Segmented } from '../src/ui/segmented.tsx';
import { Select } from '../src/ui/select.tsx';
import { Switch } from '../src/ui/switch.tsx';

const looks: readonly ButtonLook[] = ['primary', 'secondary', 'danger', 'quiet'];
const nothing = () => {};

export const Buttons = () => (
  <div className="grid gap-4">
    {looks.map((look) => (
      <div key={look} className="flex flex-wrap gap-2">
        <Button look={look}>Normal</Button>
        <Button look={look}>
          <Plus aria-hidden />
          With an icon
        </Button>
        <Button look={look} disabled>
          Disabled
        </Button>
        <Button look={look} pending>
          Busy
        </Button>
      </div>
    ))}
    <Button look="icon" aria-label="Add">
      <Plus aria-hidden />
    </Button>
    <CopyButton text="text" />
    <CopyValue name="key ID" value="01a19672-ac20-7527-8bb1-6cefd3e9e3ee" />
  </div>
);

export const Fields = () => (
  <div className="grid max-w-md gap-4">
    <TextField label="Empty" placeholder="A placeholder" />
    <TextField label="With a hint" defaultValue="A value" hint="What it is for." />
    <TextField label="Refused" defaultValue="-1" error="Enter a whole number from 1 to 100." />
    <TextField label="Disabled" defaultValue="A value" disabled />
    <TextArea label="Several lines" rows={3} defaultValue={'One\nTwo'} />
    <SelectField label="Choice" options={{ one: 'One', two: 'Two' }} />
  </div>
);

export const Choices = () => (
  <div className="grid justify-items-start gap-4">
    <Segmented
      legend="Period"
      options={{ day: 'Day', week: 'Week', month: 'Month' }}
      value="week"
      onChange={nothing}
    />
    <Select aria-label="Key" options={{ '': 'All keys' }} value="" onChange={nothing} />
    <Switch label="On" checked onChange={nothing} />
    <Switch label="Off" checked={false} onChange={nothing} />
  </div>
);
