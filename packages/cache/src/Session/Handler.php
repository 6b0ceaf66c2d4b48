<?php

declare(strict_types=1);

namespace Larder\Session;

use Larder\Exception\SessionsNotKept;
use Larder\Metrics\Counters;
use Larder\Metrics\NullCounters;
use Larder\Metrics\SparingLogger;
use Larder\SharedMemory;
use Larder\Store;
use Larder\Store\MayGoBack;
use Larder\Store\MayKeepNothing;
use Psr\Log\LoggerInterface;
use SessionHandlerInterface;
use SessionIdInterface;
use SessionUpdateTimestampHandlerInterface;
use ValueError;

/**
 * Keeps PHP's sessions in a store. Requests of one session come one after the other, and none loses what another has
 * written.
 *
 * The lock of a session is a lease: it ends by itself, so a request that died keeps no visitor out for longer. A
 * request that outlives its lease may not write any more: a session is stored only over the version that was read, and
 * one that was not there only while nobody has made or destroyed it since. write() gives false then, the log and the
 * counter `larder_session_refusals_total` say it, and so does refusal().
 *
 * session_start(['read_and_close' => true]) takes no lock and waits for none. What is in a session is a string here: it
 * is never unserialized.
 */
final class Handler implements
    SessionHandlerInterface,
    SessionIdInterface,
    SessionUpdateTimestampHandlerInterface
{
    /** Seconds that a lease lasts beyond the time that a request may take, or beyond half a minute without a limit. */
    private const BEYOND = 5.0;
    private const UNLIMITED = 30.0;

    /** What PHP makes, with a prefix that session_create_id() may have been given. */
    private const ID = '/^[A-Za-z0-9,-]{22,256}$/D';

    /** A frame of session_start() is not farther away, also where a framework's handler stands before this one. */
    private const FRAMES = 8;

    private readonly StoredSessions $sessions;
    private ?Held $held = null;
    private ?Refusal $refusal = null;

    /** An id that the store could not be asked for: there must be a session of it. */
    private ?string $unproven = null;

    /**
     * @param Store      $store    one that does not drop values: memcached with -M, or Redis with noeviction and
     *     `survives: true`
     * @param float|null $lease    seconds after which a request that did not end loses the session; null: 5 more than
     *     max_execution_time, or 35 where that is 0
     * @param float      $wait     seconds that a request waits for the one before it
     * @param bool       $mayEvict whether a store may be used that drops sessions when it is full
     * @param Counters   $counters of refusals, by cause: `larder_session_refusals_total`
     *
     * @throws SessionsNotKept if the store keeps nothing, or nothing over a restart, or is shared memory and $mayEvict
     *     is not set
     * @throws ValueError      if the lease is not above 0, or the wait is below 0
     */
    public function __construct(
        Store $store,
        private readonly ?float $lease = null,
        private readonly float $wait = 5.0,
        bool $mayEvict = false,
        private readonly ?LoggerInterface $log = null,
        private readonly Counters $counters = new NullCounters(),
    ) {
        if ($store instanceof MayKeepNothing && $store->keepsNothing()) {
            throw SessionsNotKept::byNullStore();
        }
        if ($store instanceof SharedMemory && !$mayEvict) {
            throw SessionsNotKept::byEviction();
        }
        if ($store instanceof MayGoBack && $store->dropsInstead()) {
            throw SessionsNotKept::byRestart();
        }
        if ($lease !== null && !($lease > 0.0 && $lease <= 86_400.0)) {
            throw new ValueError('The lease of a session must be more than 0 and at most 86400 seconds');
        }
        if (!($wait >= 0.0 && $wait <= 86_400.0)) {
            throw new ValueError('The wait for a session must be 0 to 86400 seconds');
        }
        $this->sessions = new StoredSessions($store);
    }

    /**
     * Makes PHP use this handler, and take no session id that it did not make.
     *
     * @throws SessionsNotKept if a session is active, or output was sent
     */
    public function register(): void
    {
        if (!@session_set_save_handler($this, true) || ini_set('session.use_strict_mode', '1') === false) {
            throw SessionsNotKept::byStart();
        }
    }

    /** Why the session was not opened or not written, since it was opened last; null: nothing was refused. */
    public function refusal(): ?Refusal
    {
        return $this->refusal;
    }

    public function open(string $path, string $name): bool
    {
        $this->refusal = null;

        return $this->close();
    }

    public function close(): bool
    {
        $held = $this->held;
        $this->held = null;
        if ($held !== null) {
            $this->sessions->letGo($held);
        }

        return true;
    }

    public function read(string $id): string|false
    {
        $this->close();
        if (!self::isGood($id)) {
            return $this->refuse(Refusal::BadId);
        }
        $found = self::isForReading()
            ? $this->sessions->look($id)
            : $this->sessions->hold($id, $this->seconds(), $this->wait);
        if ($found instanceof Refusal) {
            return $this->refuse($found);
        }
        $this->held = $found;
        if ($this->unproven === $id && $found->version === null) {
            $this->close();

            return $this->refuse(Refusal::Unanswered);
        }

        return $found->data;
    }

    public function write(string $id, string $data): bool
    {
        $held = $this->held;
        $refusal = $held?->id === $id ? $this->sessions->write($held, $data, self::life()) : Refusal::Late;
        if ($held !== null && $refusal === null) {
            $this->held = $held->spent();
        }

        return $this->isDone($refusal);
    }

    public function updateTimestamp(string $id, string $data): bool
    {
        if ($this->held?->id === $id && $this->held->version === null) {
            return $this->write($id, $data);
        }

        return self::isGood($id)
            ? $this->isDone($this->sessions->touch($id, self::life()))
            : $this->refuse(Refusal::BadId);
    }

    public function destroy(string $id): bool
    {
        $isDone = $this->isDone(self::isGood($id) ? $this->sessions->delete($id) : Refusal::BadId);
        $this->close();

        return $isDone;
    }

    /** The store ends sessions by itself. */
    public function gc(int $max_lifetime): int
    {
        return 0;
    }

    public function create_sid(): string
    {
        $id = session_create_id();

        return \is_string($id) && self::isGood($id) ? $id : bin2hex(random_bytes(16));
    }

    /** Where the store does not answer the visitor keeps his id, and read() fails unless there is a session of it. */
    public function validateId(string $id): bool
    {
        $has = self::isGood($id) ? $this->sessions->has($id) : false;
        $this->unproven = $has === null ? $id : null;

        return $has !== false;
    }

    private function isDone(?Refusal $refusal): bool
    {
        return $refusal === null ? true : $this->refuse($refusal);
    }

    private function refuse(Refusal $refusal): false
    {
        $this->refusal = $refusal;
        $this->counters->add('larder_session_refusals_total', labels: ['cause' => $refusal->value]);
        ($this->log ?? new SparingLogger())->warning($refusal->sentence());

        return false;
    }

    private function seconds(): float
    {
        $limit = (float) \ini_get('max_execution_time');

        return $this->lease ?? ($limit > 0.0 ? $limit : self::UNLIMITED) + self::BEYOND;
    }

    /** PHP does not tell a handler that a session is opened for reading alone, so the call of it is looked at. */
    private static function isForReading(): bool
    {
        foreach (debug_backtrace(0, self::FRAMES) as $frame) {
            if ($frame['function'] === 'session_start' && !isset($frame['class'])) {
                $options = $frame['args'][0] ?? null;
                $flag = \is_array($options) ? $options['read_and_close'] ?? 0 : 0;

                return \is_scalar($flag) && (int) $flag !== 0;
            }
        }

        return false;
    }

    private static function isGood(string $id): bool
    {
        return preg_match(self::ID, $id) === 1;
    }

    private static function life(): float
    {
        return max(1.0, (float) \ini_get('session.gc_maxlifetime'));
    }
}
