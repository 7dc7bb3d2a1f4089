import { ageText, timeText, useNow } from '../words/age.ts'

/** Shows the age of something; the exact time is its title. */
export function Age({ time }: { time: string }) {
  const now = useNow()
  return (
    <time dateTime={time} title={timeText(time)} style={{ whiteSpace: 'nowrap' }}>
      {ageText(time, now)}
    </time>
  )
}
