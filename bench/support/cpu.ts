/** Unlike a rate, CPU time hardly depends on the other load of a shared machine. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The share of the processor time that the host may take. A round from which it took more measures the host. */
export const MAX_STOLEN = 0.02
export const TRIES_PER_ROUND = 3

/** The unit of `/proc/PID/stat` on every Linux that Node supports. */
const TICKS_PER_SECOND = 100

export interface CpuProcesses {
  readonly service: number
  /** The postmaster. Its child processes count, too. Undefined where others run the database. */
  readonly postgres: number | undefined
  readonly simulator: number
}

export type CpuSeconds = Readonly<Record<keyof CpuProcesses, number>>

export async function postmasterPid(dataDir: string): Promise<number> {
  const [first = ''] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  return Number(first)
}

export async function cpuSeconds(processes: CpuProcesses): Promise<CpuSeconds> {
  return {
    service: (await ticksOf(processes.service)).own / TICKS_PER_SECOND,
    postgres: processes.postgres === undefined ? 0 : await secondsWithChildren(processes.postgres),
    simulator: (await ticksOf(processes.simulator)).own / TICKS_PER_SECOND,
  }
}

export function describeCpu(before: CpuSeconds, after: CpuSeconds, thousands: number, unit: string): string {
  const names = ['service', 'postgres', 'simulator'] as const
  const parts = names.map((name) => `${name} ${((after[name] - before[name]) / thousands).toFixed(3)}`)
  return `CPU seconds per 1,000 ${unit}: ${parts.join(', ')}`
}

export interface Throughput {
  /** A second. */
  readonly rate: number
  /** A second of processor time of the service and its database. */
  readonly perCore: number
}

export function throughputOf(
  count: number,
  seconds: number,
  before: CpuSeconds,
  after: CpuSeconds,
): Throughput {
  const cpu = after.service - before.service + after.postgres - before.postgres
  return { rate: count / seconds, perCore: count / cpu }
}

async function secondsWithChildren(postmaster: number): Promise<number> {
  const { own, ended } = await ticksOf(postmaster)
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const processes = await Promise.all(pids.map((pid) => ticksOf(pid).catch(() => undefined)))
  const children = processes.filter((process) => process?.parent === postmaster)
  return (own + ended + children.reduce((sum, child) => sum + (child?.own ?? 0), 0)) / TICKS_PER_SECOND
}

async function ticksOf(pid: number): Promise<{ parent: number; own: number; ended: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The second field, the process name, may contain spaces and brackets. The fields after it start at index 0.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [, parent = 0] = fields
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15)
  return { parent, own: user + system, ended: endedUser + endedSystem }
}

/** Also returns the share of the processor time that the host took from this virtual machine meanwhile. */
export async function withStolenShare<T>(measure: () => Promise<T>): Promise<{ result: T; stolen: number }> {
  const before = await machineTicks()
  const result = await measure()
  const after = await machineTicks()
  return { result, stolen: (after.stolen - before.stolen) / (after.all - before.all) }
}

async function machineTicks(): Promise<{ all: number; stolen: number }> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n')
  // user, nice, system, idle, iowait, irq, softirq, steal; guests are part of user.
  const ticks = line.split(/\s+/).slice(1, 9).map(Number)
  return { all: ticks.reduce((sum, each) => sum + each, 0), stolen: ticks[7] ?? 0 }
}
