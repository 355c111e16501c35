import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { typeParametersOfOneType } from './count-type-parameters.ts';
import { linesOnTour } from './tour.ts';

// Counts ideas that a reader must have in mind, and fails when there are more than these. A change that adds one removes
// another. Each measure is simple: it shows where to look, and proves nothing.
const atMost = {
  'interfaces of stores': 5,
  'interfaces of stores with one implementation': 0,
  'outcomes that become errors elsewhere': 0,
  'exported names that exist twice': 12,
  'guesses from a URL or a bound': 3,
  'type parameters that stand for one type': 0,
  'lines on the tour': 1_892,
};

const root = fileURLToPath(new URL('..', import.meta.url)).slice(0, -1);
const { config } = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile);
const wanted = { ...config, include: ['src', 'packages/*/src', 'packages/*/test'] };
const { fileNames, options } = ts.parseJsonConfigFileContent(wanted, ts.sys, root);
const program = ts.createProgram(fileNames, options);
const checker = program.getTypeChecker();
const pathOf = (node: ts.Node): string => node.getSourceFile().fileName.slice(root.length + 1);
const files = program.getSourceFiles().filter((file) => /^(src|packages\/[^/]+\/src)\//.test(pathOf(file)));
const placeOf = (node: ts.Node): string => {
  const { line } = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart());
  return `${pathOf(node)}:${line + 1}`;
};

/** Files above the domains, and what knows no domain. */
const above = /^packages|^src\/((api|cli|config|http|lib|load|metrics|service)\/|\w+\.ts$)/;

/** Returns all nodes of the code for which `is` holds. */
function all<N extends ts.Node>(is: (node: ts.Node) => node is N, within: readonly ts.Node[] = files): N[] {
  const found: N[] = [];
  const visit = (node: ts.Node): void => {
    if (is(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  within.forEach(visit);
  return found;
}

const storeNames = /(Store|Reader|Sink|Watch|Pieces|Leases)$/;

/**
 * The interfaces whose names say that something is stored, and how many implementations each has: the classes, functions
 * and values that name it as their type, except those that take one to wrap it, and two for a field of `Stores`, which
 * each database has.
 */
function interfacesOfStores(): { readonly name: string; readonly implementations: number }[] {
  const types = all(ts.isTypeNode).filter((type) => storeNames.test(type.getText()));
  return all(ts.isInterfaceDeclaration)
    .filter(({ name }) => storeNames.test(name.text))
    .map((declaration) => {
      const { symbol } = checker.getTypeAtLocation(declaration);
      const stated = types.filter((type) => checker.getTypeAtLocation(type).symbol === symbol);
      const implementations = stated.map(({ parent }): number => {
        if (ts.isFunctionDeclaration(parent))
          return parent.parameters.some(({ type }) => stated.includes(type!)) ? 0 : 1;
        if (ts.isHeritageClause(parent) || ts.isVariableDeclaration(parent)) return 1;
        const field = ts.isIntersectionTypeNode(parent) ? parent.parent : parent;
        const { name } = field.parent as ts.InterfaceDeclaration;
        return ts.isPropertySignature(field) && name?.text === 'Stores' ? 2 : 0;
      });
      return { name: declaration.name.text, implementations: implementations.reduce((sum, n) => sum + n, 0) };
    });
}

/**
 * The unions with texts, such as `'done' | 'last owner'`, that a function of a domain or of the database returns, and an
 * `if` elsewhere compares with a text in order to throw.
 */
function outcomes(): string[] {
  const makers = new Map<ts.Type, ts.Node[]>();
  const methods = [...all(ts.isMethodSignature), ...all(ts.isMethodDeclaration)];
  for (const maker of [...methods, ...all(ts.isFunctionDeclaration)]) {
    if (above.test(pathOf(maker))) continue;
    const returned = checker.getSignatureFromDeclaration(maker)?.getReturnType();
    const type = returned && (checker.getAwaitedType(returned) ?? returned);
    if (type?.isUnion() && type.types.some((one) => one.isStringLiteral()))
      makers.set(type, [...(makers.get(type) ?? []), maker]);
  }
  const found = all(ts.isIfStatement).flatMap(({ expression, thenStatement }) => {
    if (all(ts.isThrowStatement, [thenStatement]).length === 0) return [];
    return all(ts.isBinaryExpression, [expression]).flatMap(({ left, right }) => {
      const symbol = ts.isStringLiteral(right) && ts.isIdentifier(left) && checker.getSymbolAtLocation(left);
      const type = symbol ? checker.getTypeOfSymbol(symbol) : undefined;
      // What implements an interface is elsewhere.
      const maker = makers
        .get(type!)
        ?.find((one) => ts.isMethodSignature(one) || one.getSourceFile() !== left.getSourceFile());
      return maker ? [`${placeOf(maker)}: ${checker.typeToString(type!)}`] : [];
    });
  });
  return [...new Set(found)];
}

/** The names that two files export by a declaration of their own. */
function twins(): string[] {
  const places = new Map<string, string[]>();
  for (const file of files) {
    const module = checker.getSymbolAtLocation(file);
    for (const { name, declarations } of module ? checker.getExportsOfModule(module) : [])
      if (declarations?.some((one) => one.getSourceFile() === file && !ts.isExportSpecifier(one)))
        places.set(name, [...(places.get(name) ?? []), pathOf(file)]);
  }
  return [...places].filter(([, of]) => of.length > 1).map(([name, of]) => `${name}: ${of.join(', ')}`);
}

/** The places in src/http where the look of a URL, or whether two bounds are equal, decides something. */
function guesses(): string[] {
  const isNamed = (node: ts.Node | undefined, name: string): boolean =>
    node !== undefined && node.getText().split('.').at(-1) === name;
  const looks = all(ts.isCallExpression).filter(({ expression, arguments: [first] }) => {
    if (!ts.isPropertyAccessExpression(expression)) return false;
    const { name, expression: of } = expression;
    if (/^(test|exec|includes)$/.test(name.text) && isNamed(first, 'url')) return true;
    return /^(match|startsWith|endsWith|includes)$/.test(name.text) && isNamed(of, 'url');
  });
  const bounds = all(ts.isBinaryExpression).filter(
    ({ left, right, operatorToken }) =>
      /^([!=]==|[<>]=?)$/.test(operatorToken.getText()) &&
      (isNamed(left, 'bodyLimit') || isNamed(right, 'bodyLimit')),
  );
  return [...looks, ...bounds].map(placeOf).filter((place) => place.startsWith('src/http/'));
}

const stores = interfacesOfStores();
const single = stores.flatMap(({ name, implementations }) => (implementations < 2 ? [name] : []));
const found: Record<keyof typeof atMost, number | readonly string[]> = {
  'interfaces of stores': stores.map(({ name }) => name),
  'interfaces of stores with one implementation': single,
  'outcomes that become errors elsewhere': outcomes(),
  'exported names that exist twice': twins(),
  'guesses from a URL or a bound': guesses(),
  'type parameters that stand for one type': typeParametersOfOneType(program, root),
  'lines on the tour': linesOnTour(),
};
for (const [what, most] of Object.entries(atMost)) {
  const ideas = found[what as keyof typeof atMost];
  const count = typeof ideas === 'number' ? ideas : ideas.length;
  console.log(`${count} ${what}, of at most ${most}`);
  if (count <= most) continue;
  process.exitCode = 1;
  if (typeof ideas !== 'number') for (const idea of ideas) console.log(`  ${idea}`);
}
