<?php

declare(strict_types=1);

namespace Larder\Store;

/**
 * The scripts that change keys in one step. Redis runs a script as a whole, so no client sees it half done.
 *
 * A value and a lease begin with the generation that they were written under, and count only while it is the present
 * one. A generation counts only on a primary with the master_replid that stands in its record. A server that comes back
 * with an older copy of its data, or a replica that takes a primary's place, has another one. Each script asks for it
 * in the same step. What survives a restart is not bound to it.
 *
 * Replies are lists whose last word is MARK and that master_replid, and "!" where a record of another one was replaced.
 *
 * @internal
 */
enum RedisScript
{
    /**
     * Any number of operations, in their order.
     *
     * KEYS are the generation, the names of value and lease of each operation's key, and a spare one. ARGV are a new
     * generation, and for each operation its name and arguments. Replies, where nothing else is said, 1 for done, 0 for
     * not found, 2 for exists.
     *
     *     put, add, replace px value    value with a new version
     *     cas px value version
     *     fill px value token           stores while the lease is held
     *     touch px
     *     delete
     *     count px start version n m    adds n and m; replies the sum. "" as start: only where there is a number
     *     has
     *     value, version                replies the value, or its head alone; "" where there is none
     *     lease, valueOrLease token px  replies 1 for a lease, also if the token has it already, 0 if another has it,
     *                                   or the value
     *     release token
     *
     * px is the time to live in milliseconds; "" for ever, "0" none.
     */
    case Operations;
    /**
     * A valueOrLease and any number of values: what a miss of a cache asks for, without the words for all the others.
     *
     * KEYS are the generation, the names of value and lease of the first key, then the other values. ARGV are a new
     * generation, the token and its px. Replies as above, in a list.
     */
    case Claim;
    /** A fill. KEYS are the generation, value and lease; ARGV are px, value and token. */
    case Fill;
    /** Replies what lies under KEYS, which are the generation and values. */
    case Look;
    /** KEYS: the generation, then values. Removes those of past generations. */
    case Sweep;

    /** No reply to a request of somebody else ends with it. */
    public const MARK = 'larder';

    /** How an error begins of a server that is no primary, and of one that does not say what it is. */
    public const REPLICA = 'LARDERREPLICA';
    public const UNTOLD = 'LARDERUNTOLD';

    private const BOUND = <<<'LUA'
        local info = redis.pcall('INFO', 'replication')
        if type(info) ~= 'string' then
            return redis.error_reply('LARDERUNTOLD ' .. tostring(type(info) == 'table' and info.err))
        end
        local role, id = string.match(info, '\nrole:(%a+)'), string.match(info, '\nmaster_replid:(%x+)')
        if role and role ~= 'master' then return redis.error_reply('LARDERREPLICA its role is ' .. role) end
        if not role or not id or #id ~= 40 then return redis.error_reply('LARDERUNTOLD it has no master_replid') end

        LUA;

    private const COMMON = <<<'LUA'
        local mark = 'larder' .. id
        local function text(reply) return type(reply) == 'string' and reply or '' end
        local function present(record)
            return record and #record == 8 + #id and string.sub(record, 9) == id and string.sub(record, 1, 8) or nil
        end
        local function renew(record, word)
            if record and #record == 48 then mark = mark .. '!' end
            redis.call('SET', KEYS[1], word .. id)
            return word
        end
        local function marked(replies)
            replies[#replies + 1] = mark
            return replies
        end

        LUA;

    /** @param bool $isBound whether its values count only on the server that they were written on */
    public function text(bool $isBound = true): string
    {
        return ($isBound ? self::BOUND : "local id = ''\n") . self::COMMON . match ($this) {
            // Lua's numbers are doubles, so Redis does the counting, with 64 bits, and says when they are not enough.
            self::Operations => <<<'LUA'
                local record = text(redis.pcall('GET', KEYS[1]))
                local word = present(record)
                local name, lease, at = nil, nil, 1
                local function arguments(count)
                    at = at + count
                    return unpack(ARGV, at - count + 1, at)
                end
                local function found()
                    local head = text(redis.pcall('GETRANGE', name, 0, 15))
                    return word and #head == 16 and string.sub(head, 1, 8) == word and string.sub(head, 9)
                end
                local function held(token) return word and text(redis.pcall('GET', lease)) == word .. token end
                local function keep(key, value, px)
                    if not word then word = renew(record, ARGV[1]) end
                    if px == '' then
                        redis.call('SET', key, word .. value)
                    else
                        redis.call('SET', key, word .. value, 'PX', px)
                    end
                end
                local function remove()
                    redis.call('UNLINK', name, lease)
                    return 1
                end
                local function store(px, value)
                    if px == '0' then return remove() end
                    keep(name, value, px)
                    redis.call('UNLINK', lease)
                    return 1
                end
                local function take(token, px)
                    local holder = text(redis.pcall('GET', lease))
                    if word and string.sub(holder, 1, 8) == word and holder ~= word .. token then return 0 end
                    keep(lease, token, px)
                    return 1
                end
                local function touch(px)
                    if not found() then return 0 end
                    if px == '0' then return remove() end
                    if px == '' then
                        redis.call('PERSIST', name)
                    else
                        redis.call('PEXPIRE', name, px)
                    end
                    return 1
                end
                local function count(px, start, version, ...)
                    if not found() then
                        if start == '' then return 0 end
                        store(px, version .. 'i' .. start)
                        return start
                    end
                    if redis.call('GETRANGE', name, 16, 16) ~= 'i' then return 2 end
                    local spare, fits = KEYS[#KEYS], true
                    redis.call('SET', spare, redis.call('GETRANGE', name, 17, -1))
                    for _, step in ipairs({ ... }) do
                        fits = fits and type(redis.pcall('INCRBY', spare, step)) == 'number'
                    end
                    local sum = redis.call('GET', spare)
                    redis.call('UNLINK', spare)
                    if not fits then return 2 end
                    redis.call('SET', name, word .. version .. 'i' .. sum, 'KEEPTTL')
                    redis.call('UNLINK', lease)
                    return sum
                end
                local function reply(operation)
                    if operation == 'put' then
                        return store(arguments(2))
                    elseif operation == 'fill' then
                        local px, value, token = arguments(3)
                        return held(token) and store(px, value) or 2
                    elseif operation == 'value' then
                        return found() and redis.call('GET', name) or ''
                    elseif operation == 'version' then
                        local version = found()
                        return version and word .. version or ''
                    elseif operation == 'valueOrLease' then
                        local token, px = arguments(2)
                        return found() and redis.call('GET', name) or take(token, px)
                    elseif operation == 'lease' then
                        return take(arguments(2))
                    elseif operation == 'release' then
                        local isHeld = held(arguments(1))
                        if isHeld then redis.call('UNLINK', lease) end
                        return isHeld and 1 or 0
                    elseif operation == 'cas' then
                        local px, value, version = arguments(3)
                        local present = found()
                        return not present and 0 or present ~= version and 2 or store(px, value)
                    elseif operation == 'add' then
                        local px, value = arguments(2)
                        return found() and 2 or store(px, value)
                    elseif operation == 'replace' then
                        local px, value = arguments(2)
                        return found() and store(px, value) or 0
                    elseif operation == 'delete' then
                        local version = found()
                        remove()
                        return version and 1 or 0
                    elseif operation == 'touch' then
                        return touch(arguments(1))
                    elseif operation == 'count' then
                        return count(arguments(5))
                    else
                        return found() and 1 or 0
                    end
                end
                local replies = {}
                for i = 2, #KEYS - 1, 2 do
                    name, lease = KEYS[i], KEYS[i + 1]
                    replies[#replies + 1] = reply(arguments(1))
                end
                return marked(replies)
                LUA,
            self::Claim => <<<'LUA'
                local values = redis.call('MGET', unpack(KEYS))
                local word, lease = present(values[1]), values[3]
                local function current(value)
                    return word and value and #value >= 16 and string.sub(value, 1, 8) == word and value
                end
                local replies = { current(values[2]) }
                for i = 4, #KEYS do replies[i - 2] = current(values[i]) or '' end
                local isHeld = word and lease and string.sub(lease, 1, 8) == word and lease ~= word .. ARGV[2]
                if not replies[1] and isHeld then
                    replies[1] = 0
                elseif not replies[1] then
                    if not word then word = renew(values[1], ARGV[1]) end
                    redis.call('SET', KEYS[3], word .. ARGV[2], 'PX', ARGV[3])
                    replies[1] = 1
                end
                return marked(replies)
                LUA,
            self::Fill => <<<'LUA'
                local values = redis.call('MGET', KEYS[1], KEYS[3])
                local word = present(values[1])
                if not word or values[2] ~= word .. ARGV[3] then return marked({ 2 }) end
                if ARGV[1] == '0' then
                    redis.call('UNLINK', KEYS[2])
                elseif ARGV[1] == '' then
                    redis.call('SET', KEYS[2], word .. ARGV[2])
                else
                    redis.call('SET', KEYS[2], word .. ARGV[2], 'PX', ARGV[1])
                end
                redis.call('UNLINK', KEYS[3])
                return marked({ 1 })
                LUA,
            // So many at a time as fit on the stack.
            self::Look => <<<'LUA'
                local replies = redis.call('MGET', unpack(KEYS, 1, math.min(#KEYS, 1000)))
                for first = 1001, #KEYS, 1000 do
                    for _, reply in ipairs(redis.call('MGET', unpack(KEYS, first, math.min(#KEYS, first + 999)))) do
                        replies[#replies + 1] = reply
                    end
                end
                return marked(replies)
                LUA,
            self::Sweep => <<<'LUA'
                local word = present(text(redis.pcall('GET', KEYS[1])))
                for i = 2, #KEYS do
                    local head = text(redis.pcall('GETRANGE', KEYS[i], 0, 7))
                    if #head == 8 and head ~= word then redis.call('UNLINK', KEYS[i]) end
                end
                return marked({})
                LUA,
        };
    }

    public function hash(bool $isBound): string
    {
        return sha1($this->text($isBound));
    }
}
