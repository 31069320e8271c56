import { expect, test } from 'vitest'
import type { Caller } from '#platform/caller'
import { reasonOf, withKey } from '#platform/testing/requests'
import { releaseDeadLeases } from '#platform/jobs/dead-leases'
import { END_SUBMISSION_LEASES } from '../storage/submission.repository.ts'
import { asDispute, createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()
const { acquirer, disputes, openDispute, stage, work } = fixture
const merchant = await fixture.newMerchant()
const { businessId, caller } = merchant

const typesOf = async (id: string) => (await fixture.eventsOfDispute(businessId, id)).map(({ type }) => type)

const ready = async () => {
  const opened = await openDispute(merchant)
  await stage(caller, opened.id)
  acquirer.requests.length = 0
  return opened
}

const submissionsSent = () => acquirer.requests.filter((line) => line.startsWith('POST')).length

/** Tests replace the client's method for one call. */
const submitOf = () => acquirer.disputes.submit.bind(acquirer.disputes)

/** Takes up the submission as if its process had died. */
const afterCrash = async () => {
  await releaseDeadLeases(fixture.url, [END_SUBMISSION_LEASES])
  await work(businessId, { seconds: 2 })
}

const storedReply = async (replay: Promise<unknown>) => {
  const reply = (await replay.catch((thrown: unknown) => thrown)) as { status: number; body: string }
  return { status: reply.status, body: JSON.parse(reply.body) as { data: object } }
}

// Proves reference/disputes#submission.
test('all staged evidence is handed in once, and later submissions and edits are refused', async () => {
  const { id, booked } = await ready()
  const file = { name: 'r.pdf', content_type: 'application/pdf', content: 'JVBERi0=' }
  await disputes.editEvidence(caller, id, { receipt: file })
  const submitted = asDispute(await disputes.submit(caller, id))
  expect(submitted).toMatchObject({ state: 'under_review', submitted_at: expect.any(String) as string })
  expect(booked.evidence).toEqual({
    texts: { uncategorized_text: 'It was delivered.' },
    files: { receipt: { name: 'r.pdf', content: 'JVBERi0=' } },
  })
  expect(await reasonOf(disputes.submit(caller, id))).toBe('evidence_already_submitted')
  expect(await reasonOf(stage(caller, id))).toBe('evidence_already_submitted')
  expect(await typesOf(id)).toEqual(['dispute.opened', 'dispute.evidence_submitted'])
})

test('nothing is submitted where nothing is staged', async () => {
  const { id } = await openDispute(merchant)
  expect(await reasonOf(disputes.submit(caller, id))).toBe('evidence_missing')
})

test('of many concurrent submissions one is sent', async () => {
  const { id } = await ready()
  const reasons = await Promise.all(Array.from({ length: 8 }, () => reasonOf(disputes.submit(caller, id))))
  expect(reasons.filter((reason) => reason === 'done')).toHaveLength(1)
  const others = reasons.filter((reason) => reason !== 'done')
  expect(['submission_in_progress', 'evidence_already_submitted']).toEqual(
    expect.arrayContaining([...new Set(others)]),
  )
  expect(submissionsSent()).toBe(1)
})

test('a lost answer is 504, and the job learns by asking that the evidence arrived', async () => {
  const { id } = await ready()
  const keyed: Caller = withKey(caller, `lost-${id}`)
  acquirer.faults.submit = 'lose_answer'
  expect(await reasonOf(disputes.submit(keyed, id))).toBe('submission_unknown')
  acquirer.faults.submit = 'none'
  expect(await reasonOf(disputes.submit(caller, id))).toBe('submission_in_progress')
  expect(await reasonOf(stage(caller, id))).toBe('submission_in_progress')
  expect((await storedReply(disputes.submit(keyed, id))).status).toBe(504)
  await work(businessId, { seconds: 2 })
  expect(submissionsSent()).toBe(1)
  const replayed = await storedReply(disputes.submit(keyed, id))
  expect(replayed.status).toBe(200)
  expect(asDispute(replayed.body.data)).toEqual(await fixture.get(caller, id))
  expect(await typesOf(id)).toEqual(['dispute.opened', 'dispute.evidence_submitted'])
})

test('evidence that did not arrive is sent again under the same key', async () => {
  const { id, booked } = await ready()
  acquirer.faults.submit = 'fail_before'
  expect(await reasonOf(disputes.submit(caller, id))).toBe('submission_unknown')
  const { rows } = await fixture.admin.query('select key from dispute_submissions where dispute_id = $1', [
    id,
  ])
  acquirer.faults.submit = 'none'
  await work(businessId, { seconds: 2 })
  expect(booked.submittedUnder).toBe((rows[0] as { key: string }).key)
  expect(await fixture.get(caller, id)).toMatchObject({ state: 'under_review' })
})

test.each(['before the call', 'between the call and its record'])(
  'a process that dies %s leaves a submission that is finished once',
  async (moment) => {
    const { id, booked } = await ready()
    const submit = submitOf()
    const died = Promise.withResolvers<never>()
    const called = Promise.withResolvers<void>()
    acquirer.disputes.submit = async (reference, evidence, key) => {
      acquirer.disputes.submit = submit
      if (moment !== 'before the call') await submit(reference, evidence, key)
      called.resolve()
      return died.promise
    }
    const dead = disputes.submit(caller, id)
    await called.promise
    if (moment !== 'before the call') await expect.poll(() => booked.submittedUnder).not.toBeNull()
    await afterCrash()
    expect(await fixture.get(caller, id)).toMatchObject({ state: 'under_review' })
    expect(submissionsSent()).toBe(1)
    expect(await typesOf(id)).toEqual(['dispute.opened', 'dispute.evidence_submitted'])
    died.reject(new Error('the process died'))
    await expect(dead).rejects.toThrow('the process died')
  },
)

test('a sender whose lease was taken over records nothing', async () => {
  const { id } = await ready()
  const submit = submitOf()
  const late = Promise.withResolvers<void>()
  acquirer.disputes.submit = async (...request) => {
    acquirer.disputes.submit = submit
    const reply = await submit(...request)
    await late.promise
    return reply
  }
  const sender = disputes.submit(caller, id)
  await expect.poll(() => submissionsSent()).toBe(1)
  await afterCrash()
  late.resolve()
  expect(asDispute(await sender)).toEqual(await fixture.get(caller, id))
  expect(await typesOf(id)).toEqual(['dispute.opened', 'dispute.evidence_submitted'])
})

test('a refusal is 502 with its reason, and the evidence can be changed and submitted again', async () => {
  const { id } = await ready()
  acquirer.faults.submit = 'refuse'
  await expect(disputes.submit(caller, id)).rejects.toMatchObject({
    reason: 'evidence_refused',
    message: 'The acquirer refused the evidence: a receipt is missing',
  })
  acquirer.faults.submit = 'none'
  await stage(caller, id, 'A better text.')
  expect(asDispute(await disputes.submit(caller, id))).toMatchObject({ state: 'under_review' })
})

test('a decision that a notice brings before the answer to the submission is kept', async () => {
  const { id, booked } = await ready()
  const submit = submitOf()
  acquirer.disputes.submit = async (...request) => {
    acquirer.disputes.submit = submit
    const reply = await submit(...request)
    booked.state = 'won'
    await fixture.notice(businessId, booked.reference)
    await work(businessId)
    return reply
  }
  expect(asDispute(await disputes.submit(caller, id))).toMatchObject({ state: 'won' })
  await work(businessId)
  expect(await fixture.get(caller, id)).toMatchObject({ state: 'won' })
  expect(await typesOf(id)).toEqual(['dispute.opened', 'dispute.evidence_submitted', 'dispute.won'])
})

test('evidence that was submitted at the acquirer itself counts as submitted', async () => {
  const { id, booked } = await ready()
  booked.submittedUnder = 'somebody'
  booked.state = 'under_review'
  await fixture.notice(businessId, booked.reference)
  await work(businessId)
  expect(await fixture.get(caller, id)).toMatchObject({ submitted_at: expect.any(String) as string })
  expect(await typesOf(id)).toEqual(['dispute.opened', 'dispute.evidence_submitted'])
})
