import { join } from 'node:path'
import { freePort } from '../support/services/free-port.ts'
import { type Command, hasCommand, startServer, succeed } from './command.ts'

/** A game server of examples/game-server. */
export interface GameServer {
  language: string
  folder: string
  needs: readonly string[]
  /** What the README does once. */
  prepare: readonly Command[]
  start: Command
  /** It asks the service who a player is, and has no use for the published keys. */
  asksService?: true
  /** Its library counts the cooldown from the last reading, not from the last unknown key. */
  readsAtOnce?: false
}

export const gameServers: readonly GameServer[] = [
  {
    language: 'TypeScript',
    folder: 'typescript',
    needs: ['npm'],
    prepare: [['npm', 'ci']],
    start: ['npm', 'start'],
    readsAtOnce: false,
  },
  { language: 'Go', folder: 'go', needs: ['go'], prepare: [], start: ['go', 'run', '.'] },
  {
    language: 'Python',
    folder: 'python',
    needs: ['python3'],
    prepare: [
      ['python3', '-m', 'venv', '.venv'],
      ['.venv/bin/pip', 'install', '--require-hashes', '-r', 'requirements.txt'],
    ],
    start: ['.venv/bin/python', 'server.py'],
  },
  {
    language: 'Java',
    folder: 'java',
    needs: ['java', 'mvn'],
    prepare: [],
    start: ['mvn', '-q', 'compile', 'exec:java'],
  },
  {
    language: 'C#',
    folder: 'csharp',
    needs: ['mcs', 'mono'],
    prepare: [
      [
        'mcs',
        '-langversion:7',
        '-r:System.Net.Http,System.Web.Extensions',
        '-out:game-server.exe',
        'GameServer.cs',
        'Service.cs',
      ],
    ],
    start: ['mono', 'game-server.exe'],
    asksService: true,
  },
  {
    language: 'Rust',
    folder: 'rust',
    needs: ['cargo'],
    prepare: [['cargo', 'build', '--release', '--locked']],
    start: ['cargo', 'run', '--release', '--locked'],
  },
]

/** The commands that a server needs and this machine lacks. */
export const missingFor = ({ needs }: GameServer): string[] =>
  needs.filter((command) => !hasCommand(command))

const folderOf = ({ folder }: GameServer) =>
  join(import.meta.dirname, '../../examples/game-server', folder)

/** Builds a server as its README says. */
export async function prepare(server: GameServer): Promise<void> {
  for (const command of server.prepare) await succeed(command, folderOf(server))
}

/** Starts a server as its README says, on a free port, which Mono cannot choose itself, until the end of the file. */
export const start = async (server: GameServer, variables: Record<string, string>) =>
  await startServer(server.start, folderOf(server), { PORT: `${await freePort()}`, ...variables })
