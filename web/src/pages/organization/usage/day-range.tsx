import { useState } from 'react';
import { type DateRange, DayPicker } from 'react-day-picker';
import { maxDays } from '../../../api/usage.ts';
import { dayOf } from '../../../lib/months.ts';
import { serviceTime } from '../../../lib/service-time.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import './day-range.css';

interface Props {
  onPick: (from: string, to: string) => void;
  onClose: () => void;
}

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'full' });

/** Asks for a first and a last day. */
export default function DayRange({ onPick, onClose }: Props) {
  const [days, setDays] = useState<DateRange | undefined>();
  // The calendar has the reader's days: this one has the date that is today's in UTC.
  const today = new Date(`${dayOf(serviceTime())}T00:00`);
  const isComplete = days?.from && days.to;
  return (
    <Dialog title="Custom period" description="Days are in UTC." onClose={onClose}>
      <div className="justify-self-center">
        <DayPicker
          mode="range"
          selected={days}
          onSelect={setDays}
          max={maxDays - 1}
          today={today}
          disabled={{ after: today }}
          defaultMonth={today}
          labels={{
            // With the number as the button shows it, for people who say its name.
            labelDayButton: (day, { selected, today }) =>
              `${today ? 'Today, ' : ''}${dayFormat.format(day)}${selected ? ', selected' : ''}`,
          }}
          autoFocus
        />
      </div>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          disabled={!isComplete}
          onClick={() => isComplete && onPick(textOf(days.from!), textOf(days.to!))}
        >
          Show
        </Button>
      </div>
    </Dialog>
  );
}

/** Returns the chosen day as YYYY-MM-DD, whatever the reader's time zone. */
const textOf = (day: Date): string => dayOf(Date.UTC(day.getFullYear(), day.getMonth(), day.getDate()));
