import { expect, test } from 'vitest'
import type { Language } from '#modules/checkout'
import { intervalText } from './interval-text.ts'

test.each<[Language, string, string, string]>([
  ['en', 'month', '3 months', 'week'],
  ['de', 'Monat', '3 Monate', 'Woche'],
  ['fr', 'mois', '3\u00a0mois', 'semaine'],
  ['vi', 'tháng', '3 tháng', 'tuần'],
  ['ar', 'شهر', '3 أشهر', 'أسبوع'],
  ['ja', '月', '3 か月', '週'],
  ['ko', '월', '3개월', '주'],
  ['zh-Hant', '月', '3 個月', '週'],
  ['zh-Hans', '月', '3个月', '周'],
])('a price in %s is for a %s, for %s or for a %s', (language, month, quarter, week) => {
  const text = (billing_interval: 'month' | 'week', interval_count: number) =>
    intervalText(language, { billing_interval, interval_count })
  expect([text('month', 1), text('month', 3), text('week', 1)]).toEqual([month, quarter, week])
})
