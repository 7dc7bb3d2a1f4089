/** True for a day that the calendar has, as `YYYY-MM-DD`. */
export function isCalendarDay(text: string): boolean {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  // A day that the month does not have becomes one of the next.
  return day !== undefined && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}
