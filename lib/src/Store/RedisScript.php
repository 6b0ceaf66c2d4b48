<?php

declare(strict_types=1);

namespace Larder\Store;

/**
 * The scripts that change a key in one step. Redis runs a script as a whole, so no client sees it half done.
 *
 * KEYS are the generation, then the names of value and lease of each key. A value and a lease begin with the generation
 * that they were written under, and count only while it is the present one. Replies: 1 is done, 0 not found, 2 exists.
 *
 * @internal
 */
enum RedisScript
{
    /** ARGV: a new generation, px, values. Stores them all. */
    case Put;
    /** ARGV: a new generation, px, value, add|replace|cas|lease, version or token. Stores on a condition. */
    case PutIf;
    /** Replies 1 or 0 for each key. */
    case Remove;
    /** ARGV: px. */
    case Touch;
    /**
     * KEYS[4]: a spare one. ARGV: a new generation, px, value to start with or "", new version, numbers to add. Replies
     * with the sum.
     */
    case Add;
    case Has;
    /**
     * ARGV, for each key: "value" or "version". Replies with the value, or with its head alone; "" for a key that is
     * not there.
     */
    case Confirm;
    /**
     * ARGV: a new generation, token, px, and "value" if a value ends it. Replies with the value, 1 for a lease, 0 if
     * another has it.
     */
    case Lease;
    /** ARGV: token. */
    case Release;
    /** KEYS: the generation, then values. Removes those of past generations. */
    case Sweep;

    /** px is the time to live in milliseconds; "" for ever, "0" none. */
    private const COMMON = <<<'LUA'
        local function text(reply) return type(reply) == 'string' and reply or '' end
        local word = text(redis.pcall('GET', KEYS[1]))
        if #word ~= 8 then word = nil end
        local function found(name)
            local head = text(redis.pcall('GETRANGE', name, 0, 15))
            return word and #head == 16 and string.sub(head, 1, 8) == word and string.sub(head, 9)
        end
        local function begin(new)
            if not word then
                redis.call('SET', KEYS[1], new)
                word = new
            end
        end
        local function keep(name, value, px)
            if px == '' then
                redis.call('SET', name, word .. value)
            else
                redis.call('SET', name, word .. value, 'PX', px)
            end
        end
        local function held(token)
            return word and text(redis.pcall('GET', KEYS[3])) == word .. token
        end

        LUA;

    public function text(): string
    {
        return self::COMMON . match ($this) {
            self::Put => <<<'LUA'
                if ARGV[2] == '0' then
                    for i = 2, #KEYS do redis.call('UNLINK', KEYS[i]) end
                    return 1
                end
                begin(ARGV[1])
                for i = 3, #ARGV do
                    keep(KEYS[2 * i - 4], ARGV[i], ARGV[2])
                    redis.call('UNLINK', KEYS[2 * i - 3])
                end
                return 1
                LUA,
            self::PutIf => <<<'LUA'
                local version, mode = found(KEYS[2]), ARGV[4]
                if mode == 'lease' then
                    if not held(ARGV[5]) then return 2 end
                elseif mode == 'add' then
                    if version then return 2 end
                elseif not version then
                    return 0
                elseif mode == 'cas' and version ~= ARGV[5] then
                    return 2
                end
                if ARGV[2] == '0' then
                    redis.call('UNLINK', KEYS[2], KEYS[3])
                else
                    begin(ARGV[1])
                    keep(KEYS[2], ARGV[3], ARGV[2])
                    redis.call('UNLINK', KEYS[3])
                end
                return 1
                LUA,
            self::Remove => <<<'LUA'
                local replies = {}
                for i = 2, #KEYS, 2 do
                    replies[#replies + 1] = found(KEYS[i]) and 1 or 0
                    redis.call('UNLINK', KEYS[i], KEYS[i + 1])
                end
                return replies
                LUA,
            self::Touch => <<<'LUA'
                if not found(KEYS[2]) then return 0 end
                if ARGV[1] == '0' then
                    redis.call('UNLINK', KEYS[2], KEYS[3])
                elseif ARGV[1] == '' then
                    redis.call('PERSIST', KEYS[2])
                else
                    redis.call('PEXPIRE', KEYS[2], ARGV[1])
                end
                return 1
                LUA,
            // Lua's numbers are doubles, so Redis does the counting, with 64 bits, and says when they are not enough.
            self::Add => <<<'LUA'
                if not found(KEYS[2]) then
                    if ARGV[3] == '' then return 0 end
                    if ARGV[2] == '0' then
                        redis.call('UNLINK', KEYS[2], KEYS[3])
                    else
                        begin(ARGV[1])
                        keep(KEYS[2], ARGV[4] .. 'i' .. ARGV[3], ARGV[2])
                        redis.call('UNLINK', KEYS[3])
                    end
                    return ARGV[3]
                end
                if redis.call('GETRANGE', KEYS[2], 16, 16) ~= 'i' then return 2 end
                redis.call('SET', KEYS[4], redis.call('GETRANGE', KEYS[2], 17, -1))
                local fits = true
                for i = 5, #ARGV do
                    fits = fits and type(redis.pcall('INCRBY', KEYS[4], ARGV[i])) == 'number'
                end
                local sum = redis.call('GET', KEYS[4])
                redis.call('UNLINK', KEYS[4])
                if not fits then return 2 end
                redis.call('SET', KEYS[2], word .. ARGV[4] .. 'i' .. sum, 'KEEPTTL')
                redis.call('UNLINK', KEYS[3])
                return sum
                LUA,
            self::Has => <<<'LUA'
                return found(KEYS[2]) and 1 or 0
                LUA,
            self::Confirm => <<<'LUA'
                local replies = {}
                for i = 1, #ARGV do
                    local version = found(KEYS[2 * i])
                    replies[i] = not version and ''
                        or ARGV[i] == 'version' and word .. version
                        or redis.call('GET', KEYS[2 * i])
                end
                return replies
                LUA,
            self::Lease => <<<'LUA'
                if ARGV[4] == 'value' and found(KEYS[2]) then return redis.call('GET', KEYS[2]) end
                begin(ARGV[1])
                if string.sub(text(redis.pcall('GET', KEYS[3])), 1, 8) == word then return 0 end
                keep(KEYS[3], ARGV[2], ARGV[3])
                return 1
                LUA,
            self::Release => <<<'LUA'
                if not held(ARGV[1]) then return 0 end
                redis.call('UNLINK', KEYS[3])
                return 1
                LUA,
            self::Sweep => <<<'LUA'
                for i = 2, #KEYS do
                    local head = text(redis.pcall('GETRANGE', KEYS[i], 0, 7))
                    if #head == 8 and head ~= word then redis.call('UNLINK', KEYS[i]) end
                end
                return 1
                LUA,
        };
    }

    public function hash(): string
    {
        return sha1($this->text());
    }
}
