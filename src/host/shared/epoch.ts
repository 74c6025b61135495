/**
 * Lua over `KEYS[1]`: sets `now`, in milliseconds, and `known`, the epoch of which the store remembers everything. Another begins when the store was flushed
 * or restarted or another took its place: what it knew may be lost then, all or the last of it.
 */
export const READ_EPOCH = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
  local known = redis.call('GET', KEYS[1])
  if not known or string.sub(known, 1, #run) ~= run then
    known = run .. ' ' .. string.format('%.0f', now)
    redis.call('SET', KEYS[1], known)
  end`;
