import { useState } from 'react';
import type { EmbeddingRequest } from '../../../api/embeddings.ts';
import { useAddress } from '../../../lib/use-address.ts';

const examples = `How do I reset my password?
I forgot my login and need a new password.
The ferry to the island leaves at noon.`;

/** What someone has typed and chosen. */
export interface Typed {
  /** One text per line. */
  readonly texts: string;
  readonly sender: 'session' | 'key';
  readonly key: string;
  readonly model: string;
  readonly dimensions: string;
  readonly inputType: string;
}

/** Returns the state of the form, and a function that changes it. The address has what isn't a text or a key. */
export function useTyped(mayEmbed: boolean): [Typed, (changed: Partial<Typed>) => void] {
  const [search, changeAddress] = useAddress();
  const [own, setOwn] = useState({ texts: examples, key: '' });
  const typed: Typed = {
    ...own,
    sender: !mayEmbed || search.sender === 'key' ? 'key' : 'session',
    model: search.model ?? '',
    dimensions: search.dimensions ?? '',
    inputType: search.type ?? '',
  };
  const change = ({ texts, key, ...shared }: Partial<Typed>) => {
    if (texts !== undefined || key !== undefined) setOwn({ texts: texts ?? own.texts, key: key ?? own.key });
    if (Object.keys(shared).length === 0) return;
    const { sender, model, dimensions, inputType } = { ...typed, ...shared };
    changeAddress({ sender, model, dimensions, type: inputType });
  };
  return [typed, change];
}

export const linesOf = (texts: string): string[] => texts.split('\n').filter((line) => line.trim() !== '');

/** Returns the body of the request. */
export function requestOf({
  texts,
  model,
  dimensions,
  inputType,
}: Omit<Typed, 'sender' | 'key'>): EmbeddingRequest {
  return {
    input: linesOf(texts),
    ...(model && { model }),
    ...(Number(dimensions) > 0 && { dimensions: Number(dimensions) }),
    ...(inputType && { input_type: inputType }),
  };
}
