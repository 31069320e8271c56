import { readFileSync } from 'node:fs'
import i18next from 'i18next'
import { expect, test } from 'vitest'
import { intervalText } from '../src/pages/plans/interval-text.ts'

async function textsOf(language: string) {
  const path = new URL(`../src/locales/${language}/plans.json`, import.meta.url)
  const plans = JSON.parse(readFileSync(path, 'utf8')) as object
  const i18n = i18next.createInstance()
  await i18n.init({ lng: language, resources: { [language]: { plans } }, ns: ['plans'], defaultNS: 'plans' })
  return i18n.getFixedT(language, 'plans')
}

test.each([
  ['en', ['every month', 'every 3 months on day 31', 'every week']],
  ['zh-Hant', ['每月', '每 3 個月的 31 日', '每星期']],
  ['zh-Hans', ['每月', '每 3 个月的 31 日', '每周']],
])('in %s an interval of one is said without its number', async (language, expected) => {
  const t = await textsOf(language)
  expect([
    intervalText(t, { count: 1, unit: 'month', day: undefined }),
    intervalText(t, { count: 3, unit: 'month', day: 31 }),
    intervalText(t, { count: 1, unit: 'week', day: undefined }),
  ]).toEqual(expected)
})
