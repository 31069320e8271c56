import { readConfig, requireShared } from '#platform/config'
import { askPassword } from './commands/ask-password.ts'
import { runCommandLine } from './commands/command-line.ts'

const exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  // Opens a stream when it is first used. A service never uses stdout: Node would make its pipe non-blocking, and the log
  // writes to the pipe synchronously.
  terminal: process,
  askPassword,
  serve: async (roles) => {
    const config = readConfig(process.env)
    if (!roles.api || !roles.worker) requireShared(config)
    const { serve } = await import('./serve.ts')
    await serve(config, roles)
  },
})
if (exitCode !== 0) process.exitCode = exitCode
