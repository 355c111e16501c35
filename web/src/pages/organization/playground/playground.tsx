import { useMutation } from '@tanstack/react-query';
import { embed } from '../../../api/embeddings.ts';
import { queryClient } from '../../../api/query-client.ts';
import { OrganizationPage } from '../../../frame/organization-page.tsx';
import { formText } from '../../../lib/form-text.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Card } from '../../../ui/card.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { ExchangeView } from './exchange-view.tsx';
import { TextsForm } from './texts-form.tsx';

export default function Playground() {
  const { org_id: orgId, may } = useOrganization();
  const run = useMutation({
    mutationFn: async ({ texts, key }: { texts: string; key: string }) => {
      const lines = texts.split('\n').filter((line) => line.trim() !== '');
      return { lines, exchange: await embed(orgId, key || null, lines) };
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['organizations'] }),
  });
  return (
    <OrganizationPage title="Playground">
      <Card title="Texts">
        <TextsForm
          mayEmbed={may.includes('embed')}
          pending={run.isPending}
          onSubmit={(event) => run.mutate(formText(event, 'texts', 'key'))}
        />
      </Card>
      <Problem error={run.error} />
      {run.data ? (
        <ExchangeView texts={run.data.lines} exchange={run.data.exchange} />
      ) : (
        <Card title="Similarities">
          <Empty title="Nothing has been embedded yet.">
            Run the texts above to see how similar they are and what the API returns. Run them again to see
            that the second response comes from the cache.
          </Empty>
        </Card>
      )}
    </OrganizationPage>
  );
}
