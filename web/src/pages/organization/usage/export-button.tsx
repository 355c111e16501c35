import { Download } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Button } from '../../../ui/button.tsx';

/** What opens the menu, which loads after the page. */
export function ExportButton(props: ComponentProps<typeof Button>) {
  return (
    <Button look="quiet" {...props}>
      <Download aria-hidden />
      <span className="max-sm:sr-only">Export</span>
    </Button>
  );
}
