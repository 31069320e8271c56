import sql from 'sql-template-tag'
import { type Instant, realClock, toRfc3339 } from '#kernel/clock'
import type { SharedStatements } from '#platform/postgres/database'

export interface TrustedDevice {
  readonly id: string
  readonly hash: string
  readonly ipAddress: string | null
  readonly userAgent: string | null
  readonly createdAt: Instant
  readonly lastUsedAt: Instant
  readonly expiresAt: Instant
}

const MAX_DEVICES = 200

export async function insertTrustedDevice(
  shared: SharedStatements,
  userId: string,
  device: TrustedDevice,
): Promise<void> {
  const at = toRfc3339(device.createdAt)
  await shared.query(sql`
    with expired as (delete from user_trusted_devices where user_id = ${userId} and expires_at <= ${at})
    insert into user_trusted_devices (id, hash, user_id, ip_address, user_agent, created_at, last_used_at, expires_at)
    values (${device.id}, ${device.hash}, ${userId}, ${device.ipAddress}, ${device.userAgent}, ${at},
            ${toRfc3339(device.lastUsedAt)}, ${toRfc3339(device.expiresAt)})`)
}

export async function prolongTrustedDevice(
  shared: SharedStatements,
  userId: string,
  { hash, ipAddress, lastUsedAt, expiresAt }: Omit<TrustedDevice, 'id' | 'userAgent' | 'createdAt'>,
): Promise<boolean> {
  const at = toRfc3339(lastUsedAt)
  const rows = await shared.query(sql`
    update user_trusted_devices
       set last_used_at = ${at}, expires_at = ${toRfc3339(expiresAt)}, ip_address = ${ipAddress}
     where hash = ${hash} and user_id = ${userId} and expires_at > ${at}
    returning id`)
  return rows.length === 1
}

export function trustedDevicesOf(shared: SharedStatements, userId: string): Promise<TrustedDevice[]> {
  return shared.query<TrustedDevice>(sql`
    select id, hash, ip_address as "ipAddress", user_agent as "userAgent", created_at as "createdAt",
           last_used_at as "lastUsedAt", expires_at as "expiresAt"
      from user_trusted_devices where user_id = ${userId} and expires_at > ${toRfc3339(realClock.now())}
     order by last_used_at desc, id desc limit ${MAX_DEVICES}`)
}

export async function deleteTrustedDevice(
  shared: SharedStatements,
  userId: string,
  id: string,
): Promise<boolean> {
  const rows = await shared.query(sql`
    delete from user_trusted_devices where user_id = ${userId} and id = ${id} returning id`)
  return rows.length === 1
}

export async function deleteTrustedDevices(shared: SharedStatements, userId: string): Promise<void> {
  await shared.query(sql`delete from user_trusted_devices where user_id = ${userId}`)
}
