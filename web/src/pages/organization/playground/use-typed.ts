import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { EmbeddingRequest } from '../../../api/embeddings.ts';

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
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const navigate = useNavigate();
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
    const { sender, model, dimensions, inputType } = { ...typed, ...shared };
    const entries = Object.entries({ ...search, sender, model, dimensions, type: inputType });
    if (Object.keys(shared).length === 0) return;
    const next = Object.fromEntries(entries.filter(([, value]) => value));
    void navigate({ to: '.', search: next as never, replace: true });
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
