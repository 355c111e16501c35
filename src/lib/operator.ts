/** What customers read instead of the names of those who act for the operator. */
export const operatorName = 'The operator';
