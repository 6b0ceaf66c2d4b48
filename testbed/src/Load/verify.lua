-- Runs inside wrk, with one thread. Every reply is compared, whole, with the bytes that a separate request brought
-- before. Only right replies count, and only those between the replies that open and close the window. wrk's own clock
-- counts seconds; this script takes the system's monotonic one.
--
-- Without a file nothing is compared or counted here: wrk is then as fast as without a script.
--
-- Arguments: file of the expected body or "-", seconds of lead, seconds of the window, slices, share that three parts
-- may differ by (0: a window; else a warm-up that ends when they do not), whether to print latencies (1), then name and
-- value of each header wanted.

local ffi = require("ffi")
ffi.cdef [[
  typedef struct { long seconds; long nanoseconds; } larder_time;
  int clock_gettime(int clock, larder_time *time);
  typedef struct { uint64_t count, limit, min, max, data[0]; } larder_stats;
]]

local MONOTONIC, PROCESS_CPU = 1, 2
local PART = 0.05

local time = ffi.new("larder_time")

local function clock(which)
  ffi.C.clock_gettime(which, time)
  return tonumber(time.seconds) + tonumber(time.nanoseconds) / 1e9
end

local expected, raw
local lead, kept, slices, tolerance
local wanted = {}
local opened, boundary
local closed = false
local parts, part_begin, part_count = {}, nil, 0

-- These are globals, since done() runs in another Lua state and asks for them. None is a table: wrk 4.1 spoils the
-- stack that it copies one from.
-- `begun` counts wrk's trial call too.
begun, replies, right, failed, wrong, cut, slice = -1, 0, 0, 0, 0, 0, 0
window_seconds, window_cpu, steady, latencies = 0, 0, 0, 0
wrong_why, wrong_body, failed_status, failed_body = "", "", 0, ""
running = ""

local thread

function setup(t)
  thread = t
end

function init(args)
  if args[1] == "-" then
    request, response = nil, nil
    latencies = 1
    return
  end
  local file = assert(io.open(args[1], "rb"))
  expected = file:read("*a")
  file:close()
  lead, kept, slices, tolerance = tonumber(args[2]), tonumber(args[3]), tonumber(args[4]), tonumber(args[5])
  latencies = tonumber(args[6])
  for i = 7, #args, 2 do
    wanted[args[i]] = args[i + 1]
  end
  raw = wrk.format()
end

-- wrk drops a reply that the server broke off without a word: what began and never ended is how it shows.
function request()
  begun = begun + 1
  return raw
end

local function tell(word)
  io.write(word, "\n")
  io.flush()
end

local function finish(word)
  closed = true
  tell(word)
  wrk.thread:stop()
end

local function refuse(why, body)
  wrong = wrong + 1
  if wrong == 1 then
    wrong_why, wrong_body = why, body:sub(1, 300)
    finish("end")
  end
  return false
end

-- wrk puts the next reply behind what it had of one that broke off, or of several. Such bytes do not count as right.
local function isCut(body)
  return #body > #expected and body:sub(-#expected) == expected and body:sub(1, 16) == expected:sub(1, 16)
end

-- nil: neither right nor a failure of its own.
local function judge(status, headers, body)
  if status ~= 200 then
    if failed_status == 0 then
      failed_status, failed_body = status, body:sub(1, 300)
    end
    return false
  end
  if body ~= expected then
    if isCut(body) then
      cut = cut + 1
      return nil
    end
    return refuse(string.format("%d bytes that are not the %d of the page", #body, #expected), body)
  end
  for name, value in pairs(wanted) do
    if headers[name] ~= value then
      return refuse(name .. ": " .. tostring(headers[name]) .. " instead of " .. value, "")
    end
  end
  return true
end

-- Three parts in a row at the same rate, or the time is over.
local function warm(now)
  opened = opened or now
  part_begin = part_begin or now
  part_count = part_count + 1
  if now - part_begin < PART then
    return
  end
  table.insert(parts, part_count / (now - part_begin))
  part_begin, part_count = now, 0
  local n = #parts
  if n >= 3 then
    local a, b, c = parts[n], parts[n - 1], parts[n - 2]
    if math.max(a, b, c) - math.min(a, b, c) <= tolerance * math.min(a, b, c) then
      steady = 1
    end
  end
  if steady == 1 or now - opened >= kept then
    finish("end")
  end
end

-- The reply that opens the window is not counted, the one that closes it is: the rate has no edge.
local function window(now, good)
  if not opened then
    part_begin = part_begin or now
    if now - part_begin >= lead then
      opened, boundary = now, now + kept / slices
      window_cpu = clock(PROCESS_CPU)
      tell("begin")
    end
    return
  end
  if good then
    right = right + 1
  elseif good == false then
    failed = failed + 1
  end
  while now >= boundary and slice < slices do
    slice = slice + 1
    running = running .. (slice > 1 and "," or "") .. string.format("%d", right)
    boundary = boundary + kept / slices
  end
  if now - opened >= kept then
    window_seconds, window_cpu = now - opened, clock(PROCESS_CPU) - window_cpu
    finish("end")
  end
end

function response(status, headers, body)
  replies = replies + 1
  if closed then
    return
  end
  local good = judge(status, headers, body)
  if closed then
    return
  end
  if tolerance > 0 then
    warm(clock(MONOTONIC))
  else
    window(clock(MONOTONIC), good)
  end
end

local function hex(text)
  return (text:gsub(".", function(character)
    return string.format("%02x", character:byte())
  end))
end

-- Straight out of wrk's table, which has a count for each microsecond, if it is what it is known to be.
local function print_table(latency)
  local stats = ffi.cast("larder_stats **", latency)[0]
  if tonumber(stats.min) ~= latency.min or tonumber(stats.max) ~= latency.max or stats.limit < stats.max then
    return false
  end
  local sum = 0
  for value = latency.min, latency.max do
    sum = sum + tonumber(stats.data[value])
  end
  if sum ~= tonumber(stats.count) then
    return false
  end
  for value = latency.min, latency.max do
    if stats.data[value] > 0 then
      io.write(string.format("LATENCY %d %d\n", value, tonumber(stats.data[value])))
    end
  end
  return true
end

-- wrk's own way to them goes through the whole table for each: minutes, if one reply took seconds.
local function print_latencies(latency)
  local count = #latency
  if count == 0 or print_table(latency) or count * (latency.max - latency.min) > 5e9 then
    return
  end
  for i = 1, count do
    io.write(string.format("LATENCY %d %d\n", latency(i)))
  end
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '\nRESULT {"replies":%d,"begun":%d,"right":%d,"failed":%d,"wrong":%d,"cut":%d,"seconds":%.9f,"cpu":%.3f,'
      .. '"steady":%s,"running":[%s],"wrongWhy":"%s","wrongBody":"%s","failedStatus":%d,"failedBody":"%s",'
      .. '"connect":%d,"read":%d,"write":%d,"timeout":%d,"status":%d,"completed":%d,"bytes":%d,"duration":%d}\n',
    thread:get("replies"), thread:get("begun"), thread:get("right"), thread:get("failed"), thread:get("wrong"),
    thread:get("cut"), thread:get("window_seconds"), thread:get("window_cpu") * 1e6,
    thread:get("steady") == 1 and "true" or "false", thread:get("running"),
    hex(thread:get("wrong_why")), hex(thread:get("wrong_body")),
    thread:get("failed_status"), hex(thread:get("failed_body")),
    e.connect, e.read, e.write, e.timeout, e.status, summary.requests, summary.bytes, summary.duration))
  if thread:get("latencies") == 1 then
    print_latencies(latency)
  end
end
