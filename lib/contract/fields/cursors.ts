import * as v from 'valibot'
import { readContractCursor, readEventCursor, readListCursor } from '../list-cursors.ts'
import { readWebhookCursor } from '../webhook-cursor.ts'
import { length, parsed, string } from './rules.ts'

/** A cursor as an earlier response gave it; the adapter that sealed it verifies it. */
export const cursor = v.pipe(string(), length(1, 4096))

/** The fault of a cursor that its operation did not write. */
export const foreignCursor = 'is not a cursor that was given out here'

/** A cursor that is not sealed, and whose form alone says whether it can be one. */
const plainCursor = <Position extends string | object>(
  read: (cursor: string) => Position | undefined,
) =>
  v.pipe(
    string(),
    parsed((text, addFault) => read(text) ?? addFault(foreignCursor)),
  )

/** A cursor of the allowlist as an earlier response gave it (D18). */
export const listCursor = plainCursor(readListCursor)

/** A cursor of the connected contracts as an earlier response gave it (D37). */
export const contractCursor = plainCursor(readContractCursor)

/** A cursor of the events as an earlier response gave it, read into the id of the last event (D49). */
export const eventCursor = plainCursor(readEventCursor)

/** A cursor of the events of NFTs as an earlier response gave it (D119). */
export const webhookCursor = plainCursor(readWebhookCursor)
