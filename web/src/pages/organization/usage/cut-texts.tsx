import { useQuery } from '@tanstack/react-query';
import { modelsQuery } from '../../../api/embeddings.ts';
import type { UsageReport } from '../../../api/usage.ts';
import { formatCount, formatShare } from '../../../lib/format.ts';

/** Says for each model which share of its texts was cut at its limit. Empty if no text was cut. */
export function CutTexts({ models }: Pick<UsageReport, 'models'>) {
  const { data: served = [] } = useQuery(modelsQuery);
  const isOnly = models.filter(({ texts }) => texts > 0).length === 1;
  return models.map(({ model, texts, truncated }) => {
    if (truncated === 0) return null;
    const share = truncated / texts;
    const limit = served.find(({ id }) => id === model)?.max_input_tokens;
    return (
      <p key={model} className="wrap-anywhere">
        {share < 0.01 ? 'Less than 1%' : formatShare(share)} of your texts{!isOnly && ` for ${model}`} were
        cut at {limit === undefined ? 'the model’s limit' : `${formatCount(limit)} tokens`}.
      </p>
    );
  });
}
