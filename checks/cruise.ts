import { globSync } from 'node:fs';
import { join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { importRules } from './import-rules.ts';

const roots = ['bin', 'packages', 'src'];

export interface Imports {
  /** The files that the tool has checked. */
  readonly seen: readonly string[];
  /** Files that it has not checked. If there are any, the absence of violations proves nothing. */
  readonly unseen: readonly string[];
  /** As `rule: from → to`. */
  readonly violations: readonly string[];
}

/** Follows all imports of the checkout at `directory`, including those of types, and checks them against the rules. */
export async function cruiseImports(directory: string): Promise<Imports> {
  const { output } = await cruise(roots, {
    baseDir: directory,
    validate: true,
    ruleSet: { forbidden: importRules },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^packages/[^/]+/(dist|test)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['node', 'import'] },
  });
  const { modules, summary } = output as ICruiseResult;
  const seen = modules
    .filter(({ source }) => /^(bin|packages|src)\//.test(source))
    .map(({ source }) => source);
  const files = globSync(
    roots.map((root) => join(root, '**/*.{js,ts}')),
    { cwd: directory, exclude: ['packages/*/{dist,node_modules,test}/**'] },
  );
  return {
    seen,
    unseen: files.filter((file) => !seen.includes(file)),
    violations: summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
  };
}
