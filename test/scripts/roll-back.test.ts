import { describe, expect, test } from 'vitest'
import { chosenDeployment, deploymentsOf, planOf } from '../../scripts/roll-back/deployments.ts'
import type { LiveFunction, Version } from '../../scripts/roll-back/live-functions.ts'
import { listLines, planLines, untilWhen } from '../../scripts/roll-back/report.ts'

const keys = (...names: string[]) => ({ PLAYER_TOKEN_KEY_ARNS: names.join(',') })

/** The version `number`, published by the deployment `deployment` on that day of November. */
const version = (number: number, deployment: string, variables = {}): Version => ({
  number: `${number}`,
  deployment,
  publishedAt: `2026-11-${String(10 + number)}T10:00:00.000Z`,
  ...{ codeBytes: 1_000, memoryMegabytes: 1_024, timeoutSeconds: 29 },
  variables,
})

/** A function with these versions, the newest first, of which that with the number `live` serves requests. */
function functionWith(name: string, versions: Version[], live = versions[0]?.number): LiveFunction {
  const found = versions.find(({ number }) => number === live)
  const [newest] = versions
  if (!found || !newest) throw new Error('there is no such version')
  return { name, deployed: newest.deployment, live: found, isShifting: false, versions }
}

const [a, b, c] = [version(1, 'aaa'), version(2, 'bbb'), version(3, 'ccc')]
const game = functionWith('game', [c, b, a])
const player = functionWith('player', [c, b, a])

describe('D69: the deployment to roll back to', () => {
  test('is the one before the one that serves requests, step by step', () => {
    expect(deploymentsOf([game, player]).map(({ id }) => id)).toEqual(['ccc', 'bbb', 'aaa'])
    expect(chosenDeployment([game, player]).id).toBe('bbb')
    const rolledBack = [
      functionWith('game', [c, b, a], '2'),
      functionWith('player', [c, b, a], '2'),
    ]
    expect(chosenDeployment(rolledBack).id).toBe('aaa')
    expect(listLines(rolledBack).slice(1)).toEqual([
      'ccc  2026-11-13 10:00 UTC          2  rolled back',
      'bbb  2026-11-12 10:00 UTC          2  live',
      'aaa  2026-11-11 10:00 UTC          2',
    ])
  })

  test('can be named, also if it is newer', () => {
    const rolledBack = [functionWith('game', [c, b, a], '1')]
    const target = chosenDeployment(rolledBack, 'ccc')
    expect(planOf(rolledBack, target).moves.map(({ to }) => to.number)).toEqual(['3'])
    expect(() => chosenDeployment(rolledBack, 'ddd')).toThrow('There is no deployment ddd')
  })

  test('ends with the next deploy, unless it is what was deployed last', () => {
    const functions = [game, player]
    const [deployed, earlier] = deploymentsOf(functions)
    if (!deployed || !earlier) throw new Error('there are no two deployments')
    expect(untilWhen(earlier, functions)).toBe(
      'Your next deploy that changes a function ends the roll-back. If it fails, CloudFormation restores the deployment ccc: then repeat this command with --to bbb.',
    )
    expect(untilWhen(deployed, functions)).toContain('no roll-back is in effect')
  })

  test('must be named if functions of two deployments serve requests', () => {
    const mixed = [functionWith('game', [c, b, a], '2'), player]
    expect(() => chosenDeployment(mixed)).toThrow('bbb and ccc serve requests: name the deployment')
    const plan = planOf(mixed, chosenDeployment(mixed, 'bbb'))
    expect(plan.moves.map(({ liveFunction }) => liveFunction.name)).toEqual(['player'])
  })

  test('does not exist after the first deployment', () => {
    expect(() => chosenDeployment([functionWith('game', [a])])).toThrow(
      'There is no deployment before aaa',
    )
  })

  test('has its newest version if it was deployed twice', () => {
    const again = functionWith('game', [version(3, 'aaa'), b, a])
    expect(deploymentsOf([again]).map(({ id }) => id)).toEqual(['aaa', 'bbb'])
    expect(deploymentsOf([again])[0]?.versions.get(again)?.number).toBe('3')
  })
})

describe('D69: a roll-back', () => {
  const planFor = (functions: LiveFunction[], id: string) =>
    planOf(functions, chosenDeployment(functions, id))

  test('leaves a function that the deployment did not have', () => {
    const added = functionWith('added', [c])
    const plan = planFor([game, added], 'bbb')
    expect([
      plan.moves.map(({ liveFunction }) => liveFunction.name),
      plan.newer,
      plan.doubts,
    ]).toEqual([['game'], [added], []])
  })

  test('names the variables that change', () => {
    const changed = functionWith('game', [
      version(2, 'bbb', { MAINTENANCE: 'true', ISSUER: 'same' }),
      version(1, 'aaa', { ISSUER: 'same' }),
    ])
    const functions = [changed]
    const plan = planFor(functions, 'aaa')
    expect([plan.variables, plan.doubts]).toEqual([['MAINTENANCE'], []])
    expect(planLines(chosenDeployment(functions), plan)).toEqual([
      'To the deployment aaa, published 2026-11-11 10:00 UTC:',
      '',
      '  game  version 2 -> 1',
      '',
      'No memory and no timeout changes.',
      '',
      'Variables that change: MAINTENANCE',
      '',
    ])
  })

  test('names the memory and the timeout of each function where they change', () => {
    const small = { memoryMegabytes: 512 }
    const functions = [
      functionWith('game', [version(2, 'bbb'), { ...version(1, 'aaa'), ...small }]),
      functionWith('player', [{ ...version(2, 'bbb'), ...small }, version(1, 'aaa')]),
      functionWith('worker', [version(2, 'bbb'), { ...version(1, 'aaa'), timeoutSeconds: 60 }]),
      functionWith('key', [version(2, 'bbb'), version(1, 'aaa')]),
    ]
    expect(planLines(chosenDeployment(functions), planFor(functions, 'aaa')).slice(2)).toEqual([
      '  game    version 2 -> 1, memory 1024 -> 512 MB',
      '  player  version 2 -> 1, memory 512 -> 1024 MB',
      '  worker  version 2 -> 1, timeout 29 -> 60 s',
      '  key     version 2 -> 1',
      '',
    ])
  })

  test.each([
    ['a key that has left', keys('2'), keys('2', '1'), 'PLAYER_TOKEN_KEY_ARNS'],
    ['another table', { TABLE_NAME: 'restored' }, { TABLE_NAME: 'own' }, 'TABLE_NAME'],
  ])('is refused with %s, for which the roles have no permission', (_, now, before, name) => {
    const functions = [functionWith('game', [version(2, 'bbb', now), version(1, 'aaa', before)])]
    expect(planFor(functions, 'aaa').doubts).toEqual([
      expect.stringContaining(`may not use any more (${name})`),
    ])
  })

  test.each([
    ['WALLET_CHAINS', 'POLYGON', ''],
    ['LOGINS', '[{"wallets":{"chains":["POLYGON"]}}]', '[{"wallets":{}}]'],
  ])('is refused if wallets would count on more chains (%s)', (name, now, before) => {
    const versions = [version(2, 'bbb', { [name]: now }), version(1, 'aaa', { [name]: before })]
    const doubtsOf = (...each: typeof versions) =>
      planFor([functionWith('game', each)], 'aaa').doubts
    expect(doubtsOf(...versions)).toEqual([
      expect.stringContaining(`count on all chains (${name})`),
    ])
    const same = version(1, 'aaa', { [name]: now })
    expect(doubtsOf(versions[0] as never, same)).toEqual([])
  })

  test('is not refused if all keys are still accepted', () => {
    const functions = [
      functionWith('game', [version(2, 'bbb', keys('2', '1')), version(1, 'aaa', keys('1', '2'))]),
    ]
    expect(planFor(functions, 'aaa').doubts).toEqual([])
  })

  test('is refused with a key that the deployment before the roll-back dropped, and the live one has', () => {
    const versions = [
      version(3, 'ccc', keys('2')),
      version(2, 'bbb', keys('1')),
      version(1, 'aaa', keys('1')),
    ]
    const functions = [functionWith('game', versions, '2')]
    expect(planFor(functions, 'aaa').doubts).toEqual([
      expect.stringContaining('may not use any more (PLAYER_TOKEN_KEY_ARNS)'),
    ])
  })

  test('is refused if a role has lost a permission that the deployment needs', () => {
    const permitted = (number: number, deployment: string, ...permissions: string[]) => ({
      ...version(number, deployment),
      permissions,
    })
    const functions = [
      functionWith('game', [permitted(2, 'bbb', '1a2b'), permitted(1, 'aaa', '1a2b', '3c4d')]),
      functionWith('player', [permitted(2, 'bbb', '1a2b', '5e6f'), permitted(1, 'aaa', '1a2b')]),
    ]
    expect(planFor(functions, 'aaa').doubts).toEqual([
      "The deployment aaa needs permissions that were withdrawn since from the roles of game: deploy its commit with today's settings.",
    ])
  })

  test.each([
    ['the deployment', ['1a2b'], undefined],
    ['its successor', undefined, ['1a2b']],
  ])('is not refused if the permissions of %s are not known', (_, now, before) => {
    const functions = [
      functionWith('game', [
        { ...version(2, 'bbb'), ...(now && { permissions: now }) },
        { ...version(1, 'aaa'), ...(before && { permissions: before }) },
      ]),
    ]
    expect(planFor(functions, 'aaa').doubts).toEqual([])
  })

  test('says which functions write no lines any more, because their roles may not', () => {
    const logging = (number: number, deployment: string, logGroup?: string): Version => ({
      ...version(number, deployment),
      ...(logGroup && { logGroup }),
    })
    const functions = [
      functionWith('game', [logging(2, 'bbb', 'shared'), logging(1, 'aaa', 'own')]),
      functionWith('player', [logging(2, 'bbb', 'shared'), logging(1, 'aaa', 'shared')]),
      functionWith('worker', [logging(2, 'bbb', 'shared'), logging(1, 'aaa')]),
    ]
    const plan = planFor(functions, 'aaa')
    expect([plan.silent, plan.doubts]).toEqual([['game'], []])
    expect(planLines(chosenDeployment(functions), plan)).toContain(
      'These functions will write no log lines and no metrics, because their roles may not write into the log groups of the deployment aaa any more, and alarms may be wrong: game',
    )
  })

  test('is refused if the deployment has lost a version, and while an update shifts traffic', () => {
    const lost = functionWith('player', [c, a])
    expect(planFor([game, lost], 'bbb').doubts).toEqual([
      'The deployment bbb has no version of player.',
    ])
    const shifting = [{ ...game, isShifting: true }]
    expect(planFor(shifting, 'bbb').doubts).toEqual([
      expect.stringContaining('An update is shifting traffic'),
    ])
  })

  test('D148: is refused with this reason also if the update has moved other functions at once', () => {
    const shifting = { ...functionWith('game', [c, b, a], '2'), isShifting: true }
    expect(() => chosenDeployment([shifting, player])).toThrow('An update is shifting traffic')
    expect(planFor([shifting, player], 'bbb').doubts).toEqual([
      expect.stringContaining('An update is shifting traffic'),
    ])
  })
})
