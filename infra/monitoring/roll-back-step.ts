/** The first step if an update can be the cause. */
export const rollBackAfterUpdate =
  'If it began with an update, roll back: `npm run --silent roll-back -- --stack $STACK`'
