import { useSyncExternalStore } from 'react'
import { locale } from '../language/catalogue.ts'

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]
const named = new Intl.RelativeTimeFormat(locale, { style: 'short', numeric: 'auto' })
// The next month may be 30 days away or one.
const counted = new Intl.RelativeTimeFormat(locale, { style: 'short', numeric: 'always' })
const absolute = new Intl.DateTimeFormat(locale, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
})
const tickMs = 10_000
const maxSkewSeconds = 60

/** Returns the age of a time, in the words of the reader's language; empty for no time. @param now in milliseconds */
export function ageText(time: string, now: number): string {
  const at = Date.parse(time)
  if (Number.isNaN(at)) return ''
  const ahead = (at - now) / 1_000
  // What has just happened is ahead of a clock that goes in steps, and of one that is a little slow.
  const seconds = ahead > 0 && ahead < maxSkewSeconds ? 0 : ahead
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  const relative = unit === 'month' || unit === 'year' ? counted : named
  return relative.format(Math.trunc(seconds / size), unit)
}

/** A time in full, in the form of the reader's language and with its time zone; empty for no time. */
export function timeText(time: string): string {
  const at = Date.parse(time)
  return Number.isNaN(at) ? '' : absolute.format(at)
}

let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** The time in steps of ten seconds, in milliseconds, so that all ages on a page agree. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, currentStep, currentStep)
}

function currentStep(): number {
  // While no age is shown, nothing ticks.
  if (timer === undefined && Date.now() - now > tickMs) now = Date.now()
  return now
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, tickMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}

/** Returns the duration in seconds or minutes; empty if a time is missing. */
export function durationText(from: string, to: string): string {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1_000
  if (Number.isNaN(seconds)) return ''
  const [value, unit] = seconds < 90 ? [seconds, 'second'] : [seconds / 60, 'minute']
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: 1,
  }).format(value)
}
