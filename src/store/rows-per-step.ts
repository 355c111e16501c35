/** Rows that a step of housekeeping deletes at most: some milliseconds, for which a quota decision may have to wait on SQLite. */
export const rowsPerStep = 250;

/** Whether a step has deleted as many rows as it may, so that there may be more. */
export const isFull = ({ numDeletedRows }: { numDeletedRows: bigint }): boolean =>
  numDeletedRows === BigInt(rowsPerStep);
