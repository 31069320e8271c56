/**
 * CPU time of the processes of a run. On a machine that others use too it says more than rates do: it
 * does not depend on who else is running.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** In `/proc/PID/stat`, on every Linux that Node runs on. */
const TICKS_A_SECOND = 100

export interface CpuProcesses {
  readonly service: number
  /** The postmaster; what it started counts as its own. */
  readonly postgres: number
  readonly simulator: number
}

/** Seconds of CPU time, user and system, since the processes began. */
export type CpuSeconds = Readonly<Record<keyof CpuProcesses, number>>

export async function postmasterOf(dataDir: string): Promise<number> {
  const [first = ''] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  return Number(first)
}

export async function cpuSeconds(processes: CpuProcesses): Promise<CpuSeconds> {
  return {
    service: (await ticksOf(processes.service)).own / TICKS_A_SECOND,
    postgres: await familySeconds(processes.postgres),
    simulator: (await ticksOf(processes.simulator)).own / TICKS_A_SECOND,
  }
}

/** `CPU seconds per 1,000 plans: service 0.31, postgres 0.24, simulator 0.09` */
export function describeCpu(before: CpuSeconds, after: CpuSeconds, thousands: number, unit: string): string {
  const names = ['service', 'postgres', 'simulator'] as const
  const parts = names.map((name) => `${name} ${((after[name] - before[name]) / thousands).toFixed(3)}`)
  return `CPU seconds per 1,000 ${unit}: ${parts.join(', ')}`
}

async function familySeconds(postmaster: number): Promise<number> {
  const { own, ended } = await ticksOf(postmaster)
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const processes = await Promise.all(pids.map((pid) => ticksOf(pid).catch(() => undefined)))
  const children = processes.filter((process) => process?.parent === postmaster)
  return (own + ended + children.reduce((sum, child) => sum + (child?.own ?? 0), 0)) / TICKS_A_SECOND
}

async function ticksOf(pid: number): Promise<{ parent: number; own: number; ended: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name before may hold spaces and brackets. From here on the third field is the first.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [, parent = 0] = fields
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15)
  return { parent, own: user + system, ended: endedUser + endedSystem }
}
