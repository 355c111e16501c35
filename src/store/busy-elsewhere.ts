import { ServiceError } from '../errors.ts';

export const busyElsewhere = (): ServiceError =>
  new ServiceError('unavailable', 'Another command is doing this right now; try again when it is done');
