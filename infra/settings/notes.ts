import type { Settings } from './settings.ts'

/** Sentences about settings that can be deployed, and that their operator may not want. */
export const notesOn = ({ dropAllKeys }: Settings): string[] =>
  dropAllKeys
    ? [
        'dropAllKeys is true, which is for one deployment: remove it from the settings after this one. While it stays, it has no effect when you need it again.',
      ]
    : []
