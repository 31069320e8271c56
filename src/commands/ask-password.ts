import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { OperatorError } from '#kernel/operator-error'

export async function askPassword(): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  terminal.on('SIGINT', () => process.exit(130))
  const ask = async (question: string): Promise<string> => {
    process.stderr.write(question)
    const answer = await terminal.question('')
    process.stderr.write('\n')
    return answer
  }
  try {
    const password = await ask('Password: ')
    if ((await ask('The same again: ')) !== password) throw new OperatorError('The two passwords differ.')
    return password
  } finally {
    terminal.close()
  }
}
