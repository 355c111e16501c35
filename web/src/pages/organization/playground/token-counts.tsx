import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { formatCount } from '../../../lib/format.ts';
import { useLater } from '../../../lib/use-later.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { LimitBar } from '../../../ui/bar.tsx';
import { linesOf, type Typed } from './use-typed.ts';

/** More would not be readable. */
const maxShown = 50;

/** The tokens of each text beside those that the model reads. Shows nothing for a model without a tokenizer here. */
export function TokenCounts({ texts, model, inputType }: Pick<Typed, 'texts' | 'model' | 'inputType'>) {
  const { org_id } = useOrganization();
  const later = useLater(texts);
  const input = linesOf(later).slice(0, maxShown);
  const { data: counted, isError } = useQuery({
    queryKey: ['tokens', org_id, model, inputType, later],
    queryFn: async () => {
      const body = { input, ...(model && { model }), ...(inputType && { input_type: inputType }) };
      return { ...(await call('post', '/v1/organizations/{org_id}/tokenize', { org_id }, body)), input };
    },
    enabled: input.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
  // The rows are there before their figures, which would move what is below.
  const rows = counted?.input ?? input;
  if (isError || input.length === 0) return null;
  return (
    <ul
      aria-label="Tokens of each text"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse scroll it with the arrow keys
      tabIndex={0}
      className="grid max-h-40 gap-1 overflow-y-auto text-muted"
    >
      {rows.map((text, place) => {
        const tokens = counted?.data[place];
        const most = counted?.max_input_tokens ?? 1;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines can have the same text
          <li key={place} className="flex items-center gap-2">
            <LimitBar
              share={(tokens?.count ?? 0) / most}
              look={tokens?.fits === false ? 'bg-danger' : 'bg-accent'}
            />
            <span className="shrink-0 tabular-nums">{tokens ? textOf(tokens, most) : 'Counting…'}</span>
            <span className="truncate">{text}</span>
          </li>
        );
      })}
    </ul>
  );
}

const textOf = ({ count, fits }: { count: number; fits: boolean }, most: number): string =>
  `${formatCount(count)} of ${formatCount(most)} tokens${fits ? '' : ': too long'}`;
