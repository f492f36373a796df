import { describe, expect, test } from 'vitest'
import { csvRows, separatorOf } from '../../views/nfts/csv.ts'
import { badLinesText, readIdList } from '../../views/nfts/id-list.ts'

/** What a text is read as: its elements, and the lines with faults. */
async function read(text: string, column?: number) {
  const { elements, badLines } = await readIdList(text, { column })
  return { elements, bad: badLines.map(({ line, text }) => `${line}: ${text}`) }
}

const rows = (text: string) => [...csvRows(text, separatorOf(text))].map(({ cells }) => cells)

describe('CSV', () => {
  test('has quoted values with separators, quotation marks and line breaks', () => {
    expect(rows('\ufeff1,"a ""b"", c\nd"\r\n\r\n2,e\r3,f')).toEqual([
      ['1', 'a "b", c\nd'],
      ['2', 'e'],
      ['3', 'f'],
    ])
  })

  test.each([
    [';', '1;"a,b"\n2;c'],
    ['\t', '1\ta, b\n2\tc, d'],
    [',', '1,a\n2,b'],
  ])('is separated by %j where it is on the most lines', (separator, text) => {
    expect(separatorOf(text)).toBe(separator)
  })

  test('names the lines of a text, not of its rows', () => {
    const lines = [...csvRows('1,"a\nb"\n\n2,c\r\n3,d', ',')].map(({ line }) => line)
    expect(lines).toEqual([1, 4, 5])
  })

  test('reads eight megabytes in one quoted value', () => {
    const [row] = [...csvRows(`"${'7'.repeat(8_000_000)}`, ',')]
    expect(row).toMatchObject({ isUnclosed: true, line: 1 })
  })
})

describe('A list of identifiers', () => {
  test.each<[name: string, text: string, elements: string[], bad?: string[]]>([
    ['on lines', '1\n2\n\n0x3\n', ['1', '2', '3']],
    ['with commas', '1, 2,3', ['1', '2', '3']],
    ['with spaces', '1 2  3', ['1', '2', '3']],
    ['with semicolons and quotes', '"1";"2"\n3;', ['1', '2', '3']],
    ['with ranges', '1 .. 5, 7..9 *', ['1..5', '7..9', '*']],
    ['of three digits with spaces after the commas', '101, 102, 103', ['101', '102', '103']],
    ['of three digits on lines', '101\n102', ['101', '102']],
    ['with a header of one column', 'Token ID\r\n1\r\n2', ['1', '2']],
    ['in the column with the most', 'rarity,serial\nrare,1\n2,2\nepic,3', ['1', '2', '3']],
    ['below a name alone, which is no header', 'Keeper\n7', ['7'], ['1: Keeper']],
    ['before a quotation mark that has no end', '1\n"2\n3\n4', ['1'], ['2: "2\n3\n4']],
    [
      'beside what a spreadsheet has destroyed',
      '1\n1E+05\n12.0\n\n1,000\n1.234.567\n1 000\nKeeper 7\n2',
      ['1', '2'],
      ['2: 1E+05', '3: 12.0', '5: 1,000', '6: 1.234.567', '7: 1 000', '8: Keeper 7'],
    ],
    [
      'beside lines of a table without a value, with an empty one, and with separators of thousands',
      'name,token_id\nKeeper\nQuill,\nFinch,1,000\nPip,"2,000"\nWren,9',
      ['9'],
      ['2: Keeper', '3: ', '4: 1,000', '5: 2,000'],
    ],
  ])('%s', async (_, text, elements, bad = []) => {
    expect(await read(text)).toEqual({ elements, bad })
  })

  test('counts repeated and perhaps rounded values', async () => {
    const list = await readIdList('1\n01\n0x1\n1..5\n1..5\n*\n123456789012345000000')
    expect(list).toMatchObject({ duplicateCount: 3, roundedCount: 1 })
  })

  test('says that 12,345 can be one identifier or two', async () => {
    const { badLines } = await readIdList('12,345\n7')
    expect(badLinesText(badLines)).toBe(
      'Line 1: 12,345 is one number with separators of thousands, or the identifiers 12 and 345. Write one identifier on each line, digits only.',
    )
  })

  test('cuts long values', async () => {
    const { badLines } = await readIdList('x'.repeat(1000))
    expect(badLines[0]?.text).toHaveLength(101)
  })

  test('has 100,000 identifiers of 78 digits, in the order of the text', async () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => String(10n ** 77n + BigInt(index)))
    const list = await readIdList(
      `token_id,name\n${ids.map((id) => `${id},"Keeper"`).join('\r\n')}`,
    )
    expect(list.badLines).toEqual([])
    expect(list.elements).toEqual(ids)
  })

  test('ends when it is aborted', async () => {
    const aborted = AbortSignal.abort(new Error('The text was replaced'))
    await expect(readIdList('1', { signal: aborted })).rejects.toThrow('The text was replaced')
  })
})

describe('A table with identifiers', () => {
  const table = 'name;token_id;rank\nKeeper;7;1\n"Old; Quill";8;2\n'

  test('has them in the column with the name of identifiers', async () => {
    const list = await readIdList(table)
    expect(list.elements).toEqual(['7', '8'])
    expect(list.layout).toEqual({
      kind: 'table',
      separator: ';',
      columns: ['name', 'token_id', 'rank'],
      column: 1,
      headerLine: 1,
    })
  })

  test('has them in the column that the user chooses', async () => {
    expect(await read(table, 2)).toEqual({ elements: ['1', '2'], bad: [] })
    expect(await read(table, 0)).toEqual({ elements: [], bad: ['2: Keeper', '3: Old; Quill'] })
  })

  test('can have no header', async () => {
    const list = await readIdList('7,Keeper\n8,Quill')
    expect(list.elements).toEqual(['7', '8'])
    expect(list.layout).toMatchObject({ columns: ['Column 1', 'Column 2'], column: 0 })
  })
})
