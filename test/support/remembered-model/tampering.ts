import type { Tampering } from './history.ts'
import type { World } from './world.ts'

const tamperings: Record<Tampering, (world: World) => void> = {
  position: ({ table }) => table.positions.clear(),
  readings({ table, time }) {
    for (const scope of half(time, table.readings.keys())) table.readings.delete(scope)
  },
  parts({ table, time }) {
    for (const key of half(time, table.parts.keys())) table.parts.delete(key)
    for (const key of half(time, table.begun.keys())) table.begun.delete(key)
  },
  expiry({ table, time }) {
    const kept = [table.readings, table.parts, table.begun].flatMap((each) => [...each.values()])
    for (const item of half(time, kept)) item.expiresAt = time.now()
  },
  contract({ table, time }) {
    for (const key of half(time, table.contracts.keys())) table.contracts.delete(key)
  },
  lease({ table, time }) {
    for (const [key, item] of half(time, table.contracts)) {
      const leasedUntil = time.now() + time.between(0, time.pick([1, 20]) * 3_600_000)
      table.contracts.set(key, { ...item, leasedUntil })
    }
  },
}

const half = <Item>(time: World['time'], items: Iterable<Item>): Item[] =>
  [...items].filter(() => time.isOneOf(2))

/** Deletes half of some items, or lets them end. */
export function tamper(world: World, what: Tampering): void {
  world.tamperings += 1
  if (what === 'parts' || what === 'expiry') world.readingsLost = readingsInParts(world)
  tamperings[what](world)
}

/** The number of the readings that have parts, also of those that are being kept. */
const readingsInParts = ({ table }: World): number =>
  new Set([...table.parts.keys()].map((key) => key.split(' ')[0])).size
