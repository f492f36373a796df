import { describe, expect, test } from 'vitest'
import { paramsOf, queryOf, readSettings } from '../../../dashboard/views/try-it/call.ts'

const read = (query: string) =>
  readSettings(new URLSearchParams(query), ['marrow_finch', 'old_quill'], ['POLYGON', 'BSC'])

describe('Try it: settings', () => {
  test('without a query: the first player, every chain, structured', () => {
    expect(read('')).toEqual({
      player: 'marrow_finch',
      form: 'structured',
      chains: [],
      limit: undefined,
    })
  })

  test('are read from the query, chains in the order of the deployment', () => {
    expect(read('player=old_quill&form=raw&chains=BSC,POLYGON&limit=50')).toEqual({
      player: 'old_quill',
      form: 'raw',
      chains: ['POLYGON', 'BSC'],
      limit: 50,
    })
  })

  test('unknown values are ignored, and another player is a pasted token', () => {
    expect(read('player=pasted&form=x&chains=MARS,BSC&limit=7')).toEqual({
      player: undefined,
      form: 'structured',
      chains: ['BSC'],
      limit: undefined,
    })
  })

  test('without sample players, the token is pasted', () => {
    expect(readSettings(new URLSearchParams('player=old_quill'), [], []).player).toBeUndefined()
  })

  test('the call of the page and the call of the code have the same parameters', () => {
    const settings = read('chains=BSC,POLYGON&limit=50')
    expect(queryOf(settings)).toEqual([
      ['chains', 'POLYGON,BSC'],
      ['limit', '50'],
    ])
    expect(paramsOf(settings, 'next')).toEqual({
      chains: ['POLYGON', 'BSC'],
      limit: 50,
      cursor: 'next',
    })
    expect(queryOf(read(''))).toEqual([])
  })
})
