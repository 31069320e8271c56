import { runCommandLine } from '../command-line.ts'

export interface EndedCommand {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export async function runInProcess(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<EndedCommand> {
  let stdout = ''
  let stderr = ''
  const exitCode = await runCommandLine(args, {
    env,
    terminal: {
      stdout: { write: (text) => (stdout += text) },
      stderr: { write: (text) => (stderr += text) },
    },
    askPassword: async () => undefined,
    serve: () => Promise.reject(new Error('A service needs a process of its own.')),
  })
  return { exitCode, stdout, stderr }
}
