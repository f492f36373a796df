import { expect, test } from 'vitest'
import { askForUpkeep } from '../../../lib/domain/keeping/ask-for-upkeep.ts'

test('D153: the worker is asked at once, and every twenty seconds until the time is over', async () => {
  let time = 1_000
  const asked: number[] = []
  const sleep = async (milliseconds: number) => {
    time += milliseconds
  }
  await askForUpkeep(() => asked.push(time), { now: () => time, sleep }, 61_000)
  expect(asked).toEqual([1_000, 21_000, 41_000])
})
