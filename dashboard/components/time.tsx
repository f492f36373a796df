import { dayText, exactTime, utcDayText } from '../shell/time-text.ts'

/** The day of a time (RFC 3339) in the time zone of the user, with the exact time when it is pointed at. */
export const Day = ({ time }: { time: string }) => (
  <time dateTime={time} title={exactTime(time)}>
    {dayText(time)}
  </time>
)

/** A day in UTC, `yyyy-mm-dd`. */
export const UtcDay = ({ day }: { day: string }) => (
  <time dateTime={day} title={`${day} in UTC`}>
    {utcDayText(day)}
  </time>
)
