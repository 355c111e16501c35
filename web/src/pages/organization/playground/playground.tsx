import { useQuery } from '@tanstack/react-query';
import { Code } from 'lucide-react';
import { embed, modelsQuery } from '../../../api/embeddings.ts';
import { keyOf } from '../../../api/organizations.ts';
import { useSave } from '../../../api/use-save.ts';
import { OrganizationPage } from '../../../frame/organization-page.tsx';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Button } from '../../../ui/button.tsx';
import { copyText } from '../../../ui/copy-text.ts';
import { Empty } from '../../../ui/empty.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { type Language, languages, snippets } from '../keys/snippets.ts';
import { Outcome } from './outcome.tsx';
import { RequestForm } from './request-form.tsx';
import { requestOf, type Typed, useTyped } from './use-typed.ts';

/** Embeds texts, to see how similar they are and what the API returns. */
export default function Playground() {
  const { org_id: orgId, may } = useOrganization();
  const [typed, change] = useTyped(may.includes('embed'));
  const { data: models = [] } = useQuery(modelsQuery);
  const run = useSave(
    async ({ sender, key, ...asked }: Typed) => {
      const request = requestOf(asked);
      const exchange = await embed(orgId, sender === 'key' ? key : null, request);
      return { request, exchange };
    },
    [keyOf(orgId)],
  );
  const copy = (language: Language) => {
    const { input, model, ...more } = requestOf(typed);
    void copyText(snippets({ secret: 'YOUR_KEY', model: model ?? models[0]?.id, input, more })[language]);
  };
  return (
    <OrganizationPage
      title="Playground"
      actions={
        <Menu
          trigger={
            <Button look="quiet">
              <Code aria-hidden />
              Copy as code
            </Button>
          }
        >
          {Object.entries(languages).map(([language, name]) => (
            <MenuItem key={language} onSelect={() => copy(language as Language)}>
              {name}
            </MenuItem>
          ))}
        </Menu>
      }
    >
      <div className="grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
        <RequestForm
          typed={typed}
          models={models}
          mayEmbed={may.includes('embed')}
          pending={run.isPending}
          onChange={change}
          onSubmit={() => run.mutate(typed)}
        />
        <div className="grid min-w-0 grid-cols-1 content-start gap-4">
          <Problem error={run.error} />
          {run.data ? (
            <Outcome orgId={orgId} {...run.data} />
          ) : (
            <Empty title="See how similar texts are">
              Embed the texts to compare them and to see what the API returns. Embed them again to see that
              the second response comes from the cache.
            </Empty>
          )}
        </div>
      </div>
    </OrganizationPage>
  );
}
