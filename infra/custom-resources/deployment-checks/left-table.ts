import type { CheckedProperties } from './checked-properties.ts'

/**
 * A sentence if an update leaves the restored table that is in use, and `leaveTable` does not name it (D76). The way
 * from the stack's own table to a restored table needs no permission, because the settings name the restored table.
 */
export function leftTableFaults(before: CheckedProperties, after: CheckedProperties): string[] {
  const { RestoredTable: left } = before
  const { RestoredTable: next, LeaveTable } = after
  if (left === '' || left === next || left === LeaveTable) return []
  const instead = next === '' ? "the stack's own table" : `the table ${next}`
  return [
    `The table in use is ${left} (restoredTable), and this deployment would use ${instead} in its place, without what was written to ${left}. Set "restoredTable": "${left}", or set "leaveTable": "${left}" if it is meant: docs/runbook.md#leaving-a-restored-table.`,
  ]
}
