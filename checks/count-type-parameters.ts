import ts from 'typescript';

/** The types that a parameter stands for: their names, and other parameters that are passed on. */
type Given = Map<ts.Symbol, Set<string | ts.Symbol>>;

/**
 * Returns the type parameters of the classes, interfaces and aliases in `src` and `packages` that only ever stand for one
 * type, as `file: Name<Parameter> is Type`: that type could be written in their place. The service's tests don't count.
 */
export function typeParametersOfOneType(program: ts.Program, root: string): string[] {
  const checker = program.getTypeChecker();
  const given: Given = new Map();
  const names = new Map<ts.Symbol, string>();
  const visit = (node: ts.Node): void => {
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node)) {
      const file = node.getSourceFile().fileName.slice(root.length + 1);
      for (const { name } of node.typeParameters ?? [])
        names.set(checker.getSymbolAtLocation(name)!, `${file}: ${node.name?.text}<${name.text}>`);
    } else if (ts.isTypeReferenceNode(node)) note(checker, given, node.typeName, node.typeArguments);
    else if (ts.isExpressionWithTypeArguments(node) || ts.isNewExpression(node))
      note(checker, given, node.expression, node.typeArguments);
    ts.forEachChild(node, visit);
  };
  const written = new Set(program.getRootFileNames());
  for (const file of program.getSourceFiles()) if (written.has(file.fileName)) visit(file);

  const typesOf = (parameter: ts.Symbol, seen = new Set([parameter])): string[] =>
    [...(given.get(parameter) ?? [])].flatMap((one) => {
      if (typeof one === 'string') return [one];
      // The parameter of a function stands for any type.
      if (!names.has(one)) return ['', one.name];
      return seen.has(one) ? [] : typesOf(one, seen.add(one));
    });
  return [...names].flatMap(([parameter, name]) => {
    const [first, ...others] = new Set(typesOf(parameter));
    return first !== undefined && others.length === 0 ? [`${name} is ${first}`] : [];
  });
}

/** Reports whether a type depends on a parameter, and so stands for several. */
const isOpen = (checker: ts.TypeChecker, node: ts.Node): boolean =>
  Boolean((checker.getSymbolAtLocation(node)?.flags ?? 0) & ts.SymbolFlags.TypeParameter) ||
  Boolean(ts.forEachChild(node, (child) => isOpen(checker, child)));

/** Notes what the parameters of a name stand for at one place. */
function note(checker: ts.TypeChecker, given: Given, name: ts.Node, stated?: readonly ts.TypeNode[]): void {
  const at = checker.getSymbolAtLocation(name);
  const symbol = at && at.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(at) : at;
  const { typeParameters } = (symbol?.declarations?.[0] ?? {}) as Partial<ts.InterfaceDeclaration>;
  typeParameters?.forEach((declared, i) => {
    const type = stated?.[i] ?? declared.default;
    const parameter = checker.getSymbolAtLocation(declared.name)!;
    const types = given.get(parameter) ?? new Set();
    given.set(parameter, types);
    if (!type) return;
    const { flags, symbol: passed } = checker.getTypeFromTypeNode(type);
    if (flags & ts.TypeFlags.TypeParameter) types.add(passed);
    else for (const one of isOpen(checker, type) ? ['', 'any'] : [type.getText()]) types.add(one);
  });
}
