import { dayText, exactTime, timeAgo, timeUntil, utcDayText } from '../shell/time-text.ts'

/** The day of a time (RFC 3339) in the time zone of the user, with the exact time when it is pointed at. */
export const Day = ({ time }: { time: string }) => (
  <time dateTime={time} title={exactTime(time)}>
    {dayText(time)}
  </time>
)

/** How long ago a time (RFC 3339) is, with the exact time when it is pointed at. `now`: milliseconds since 1970. */
export const TimeAgo = ({ time, now }: { time: string; now: number }) => (
  <time dateTime={time} title={exactTime(time)}>
    {timeAgo(Date.parse(time), now)}
  </time>
)

/** How far a time (RFC 3339) is ahead, with the exact time when it is pointed at. `now`: milliseconds since 1970. */
export const TimeUntil = ({ time, now }: { time: string; now: number }) => (
  <time dateTime={time} title={exactTime(time)}>
    {timeUntil(Date.parse(time), now)}
  </time>
)

/** A day in UTC, `yyyy-mm-dd`. */
export const UtcDay = ({ day }: { day: string }) => (
  <time dateTime={day} title={`${day} in UTC`}>
    {utcDayText(day)}
  </time>
)
