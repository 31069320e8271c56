export { SandboxClock } from './clock/sandbox-clock.ts'
export { sandboxModule } from './module.ts'
