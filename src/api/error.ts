import { Type } from 'typebox';
import { errorCodes } from '../errors.ts';
import { Choice, Nullable, Text } from './common.ts';

const FlatError = Type.Object(
  {
    error: Choice(errorCodes, 'The error’s code, for programs.'),
    message: Text('For people: what is wrong and what to do about it. The wording may change.'),
  },
  { title: 'Error' },
);

const OpenAIError = Type.Object(
  {
    error: Type.Object({
      message: Type.String(),
      type: Text('OpenAI’s name for this kind of error.'),
      param: Nullable(Text('The request field that caused the error.')),
      code: Choice(errorCodes),
    }),
  },
  { title: 'OpenAIError', description: 'The same error in the format of OpenAI’s API.' },
);

export const ErrorBody = Type.Union([FlatError, OpenAIError]);
