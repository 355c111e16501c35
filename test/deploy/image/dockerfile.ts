import { DockerfileParser, type Env, JSONInstruction } from 'dockerfile-ast';

export type Step =
  | {
      readonly do: 'copy';
      readonly from: string | undefined;
      readonly sources: string[];
      readonly to: string;
    }
  | { readonly do: 'run'; readonly command: string }
  | { readonly do: 'workdir'; readonly path: string };

export interface Stage {
  readonly name: string;
  readonly base: string;
  readonly steps: readonly Step[];
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly workdir: string;
  readonly volumes: readonly string[];
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

/** The stages of a Dockerfile, in order. Throws for an instruction that a replay would not understand. */
export function parseDockerfile(text: string): Stage[] {
  const stages: Stage[] = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const keyword = instruction.getKeyword();
    const content = instruction.getArgumentsContent() ?? '';
    if (keyword === 'FROM') {
      const [base = '', , name = String(stages.length)] = content.split(/\s+/);
      stages.push(emptyStage(base, name));
      continue;
    }
    const stage = stages.pop();
    if (!stage) throw new Error(`${keyword} stands before FROM`);
    const json = instruction instanceof JSONInstruction ? jsonOf(instruction) : [];
    const args = instruction.getArguments().map((argument) => argument.getValue());
    stages.push({ ...stage, ...change(keyword, { stage, content, json, args, instruction }) });
  }
  return stages;
}

type Found = {
  stage: Stage;
  content: string;
  json: string[];
  args: string[];
  instruction: object;
};

function change(keyword: string, { stage, content, json, args, instruction }: Found): Partial<Stage> {
  const step = (added: Step) => ({ steps: [...stage.steps, added] });
  switch (keyword) {
    case 'WORKDIR':
      return { workdir: content, ...step({ do: 'workdir', path: content }) };
    case 'RUN':
      return step({ do: 'run', command: content });
    case 'COPY':
      return step({
        do: 'copy',
        from: flagOf(instruction, 'from'),
        sources: args.slice(0, -1),
        to: args.at(-1) ?? '',
      });
    case 'ENV': {
      const properties = (instruction as Env).getProperties();
      const set = properties.map((property) => [property.getName(), property.getValue() ?? '']);
      return { env: { ...stage.env, ...Object.fromEntries(set) } };
    }
    case 'USER':
      return { user: content };
    case 'VOLUME':
      return { volumes: args };
    case 'ENTRYPOINT':
      return { entrypoint: json };
    case 'CMD':
      return { command: json };
    case 'HEALTHCHECK':
      return { healthCheck: JSON.parse(content.slice(content.indexOf('['))) };
    case 'EXPOSE':
      return {};
    default:
      throw new Error(`The replay does not know ${keyword}`);
  }
}

function emptyStage(base: string, name: string): Stage {
  const none = { steps: [], volumes: [], entrypoint: [], command: [], healthCheck: [] };
  return { ...none, base, name, env: {}, user: 'root', workdir: '/' };
}

function jsonOf(instruction: JSONInstruction): string[] {
  return instruction.getJSONStrings().map((text) => JSON.parse(text.getValue()));
}

function flagOf(instruction: object, name: string): string | undefined {
  const flags = instruction instanceof JSONInstruction ? instruction.getFlags() : [];
  return flags.find((flag) => flag.getName() === name)?.getValue() ?? undefined;
}
