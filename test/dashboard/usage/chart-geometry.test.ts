import { describe, expect, test } from 'vitest'
import { type Bar, chartGeometry } from '../../../dashboard/views/usage/chart-geometry.ts'

const plot = { width: 300, height: 100 }

const barOf = (...values: number[]): Bar => ({
  parts: values.map((value, index) => ({ name: String(index), value })),
})

const ticksTo = (...values: number[]) =>
  chartGeometry(
    values.map((value) => barOf(value)),
    [],
    plot,
  ).ticks.map(({ value }) => value)

describe('Usage: the geometry of a chart', () => {
  test.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [4, [0, 1, 2, 3, 4]],
    [5, [0, 2, 4, 6]],
    [17, [0, 5, 10, 15, 20]],
    [100, [0, 50, 100]],
    [101, [0, 50, 100, 150]],
    [520, [0, 200, 400, 600]],
    [9_999_999, [0, 5_000_000, 10_000_000]],
  ])('the scale up to %d is %j', (highest, ticks) => {
    expect(ticksTo(highest)).toEqual(ticks)
  })

  test('every number up to 3,000 has a scale of two to six whole numbers that reaches it', () => {
    for (let highest = 0; highest <= 3_000; highest += 1) {
      const ticks = ticksTo(highest)
      expect(ticks.length).toBeGreaterThanOrEqual(2)
      expect(ticks.length).toBeLessThanOrEqual(6)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest)
      expect(ticks.every(Number.isInteger)).toBe(true)
    }
  })

  test('the parts of a bar lie on one another, from the bottom up', () => {
    const [bar] = chartGeometry([barOf(50, 0, 25, 25)], [], plot).bars
    expect(bar?.parts).toEqual([
      { name: '0', y: 50, height: 50 },
      { name: '2', y: 25, height: 25 },
      { name: '3', y: 0, height: 25 },
    ])
  })

  test('one among a million is seen, and nothing is not', () => {
    const { bars } = chartGeometry([barOf(1_000_000), barOf(1), barOf(0)], [], plot)
    expect(bars.map(({ parts }) => parts.map(({ height }) => height))).toEqual([[100], [2], []])
  })

  test('the columns cover the width, and each bar is in the middle of its column', () => {
    const { bars } = chartGeometry(
      Array.from({ length: 90 }, () => barOf(1)),
      [],
      plot,
    )
    expect(bars[0]?.column.x).toBe(0)
    expect((bars[89]?.column.x ?? 0) + (bars[89]?.column.width ?? 0)).toBeCloseTo(300)
    for (const { x, width, column } of bars) {
      expect(x + width / 2).toBeCloseTo(column.x + column.width / 2)
      expect(width).toBeLessThan(column.width)
    }
  })

  test('a line above all bars is within the scale', () => {
    const { lines, ticks } = chartGeometry([barOf(3)], [{ name: 'a day', value: 520 }], plot)
    expect(ticks.at(-1)?.value).toBe(600)
    expect(lines).toEqual([{ name: 'a day', value: 520, y: 100 - (520 / 600) * 100 }])
  })

  test('a chart without bars has a scale', () => {
    expect(chartGeometry([], [], plot).ticks).toEqual([
      { value: 0, y: 100 },
      { value: 1, y: 0 },
    ])
  })
})
