<?php

declare(strict_types=1);

namespace Larder\Tests\Session;

use Larder\Answer;
use Larder\Exception\SessionsNotKept;
use Larder\Metrics\MemoryCounters;
use Larder\Outcome;
use Larder\Session\Handler;
use Larder\Session\Held;
use Larder\Session\Refusal;
use Larder\Session\StoredSessions;
use Larder\Store;
use Larder\Store\ArrayEntries;
use Larder\Store\ArrayStore;
use Larder\Store\NullStore;
use Larder\Store\RedisStore;
use Larder\Store\TieredStore;
use Larder\Tests\Support\Counted;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use ReflectionProperty;
use ValueError;

/** Two requests in turns, each with a handler of its own, on one store. */
#[CoversClass(Handler::class)]
#[CoversClass(StoredSessions::class)]
#[CoversClass(Held::class)]
#[CoversClass(Refusal::class)]
#[CoversClass(SessionsNotKept::class)]
final class HandlerTest extends TestCase
{
    private const ID = 'abcdefghijklmnopqrstuv';
    private const LOCK = 'session:' . self::ID . '.lock';

    private Store $store;
    private TestLog $log;
    private MemoryCounters $counters;

    protected function setUp(): void
    {
        $this->store = new ArrayStore();
        $this->log = new TestLog();
        $this->counters = new MemoryCounters();
    }

    public function testOneRequestReadsWhatTheOneBeforeHasWritten(): void
    {
        self::assertSame('', $this->request()->read(self::ID));
        $first = $this->request();
        self::assertFalse($first->read(self::ID), 'the request before has not closed');
        self::assertSame(Refusal::Busy, $first->refusal());
    }

    public function testAWrittenSessionIsTheNextOnes(): void
    {
        $first = $this->request();
        $first->read(self::ID);
        self::assertTrue($first->write(self::ID, "n|i:1;\0"));
        self::assertFalse($this->request()->read(self::ID), 'it is held until it is closed');
        self::assertTrue($first->close());

        $second = $this->request();
        self::assertSame("n|i:1;\0", $second->read(self::ID));
        self::assertTrue($second->write(self::ID, 'n|i:2;'));
        $second->close();
        self::assertSame('n|i:2;', $this->request()->read(self::ID));
        self::assertNull($second->refusal());
    }

    public function testWhatIsStoredIsTheStringAlone(): void
    {
        $this->keep('O:8:"stdClass":0:{}');

        self::assertSame('O:8:"stdClass":0:{}', $this->store->get('session:' . self::ID));
    }

    public function testALateRequestOverwritesNothing(): void
    {
        $this->keep('old');
        $late = $this->request();
        self::assertSame('old', $late->read(self::ID));
        $this->loseLock();
        $next = $this->request();
        self::assertSame('old', $next->read(self::ID));
        self::assertTrue($next->write(self::ID, 'new'));
        $next->close();

        self::assertFalse($late->write(self::ID, 'late'));
        self::assertSame(Refusal::Late, $late->refusal());
        self::assertSame('new', $this->store->get('session:' . self::ID));
        self::assertSame(['warning: ' . Refusal::Late->sentence()], $this->log->lines());
        self::assertSame(['larder_session_refusals_total{cause="late"}' => 1], $this->counters->all());
    }

    public function testALateRequestBringsNoDestroyedSessionBack(): void
    {
        $late = $this->request();
        self::assertSame('', $late->read(self::ID));
        $this->loseLock();
        // Its key's own lease ends with the write, so the one that destroys the session need not wait for that.
        $this->store->set('session:' . self::ID, 'made and');
        $next = $this->request();
        $next->read(self::ID);
        self::assertTrue($next->destroy(self::ID));

        self::assertFalse($late->write(self::ID, 'late'));
        self::assertFalse($late->updateTimestamp(self::ID, ''));
        self::assertFalse($this->store->has('session:' . self::ID));

        $this->keep('old');
        $late->read(self::ID);
        $this->loseLock();
        $this->request()->destroy(self::ID);
        self::assertFalse($late->updateTimestamp(self::ID, 'old'));
        self::assertSame(Refusal::Late, $late->refusal());
        self::assertFalse($this->store->has('session:' . self::ID));
    }

    public function testARequestThatOutlivedItsLeaseDoesNotWriteEvenIfNobodyElseDid(): void
    {
        $this->keep('old');
        $late = new Handler($this->store, lease: 1e-9, log: $this->log);
        self::assertSame('old', $late->read(self::ID));

        self::assertFalse($late->write(self::ID, 'late'));
        self::assertSame(Refusal::Late, $late->refusal());
        self::assertSame('old', $this->store->get('session:' . self::ID));
    }

    public function testNothingIsWrittenThatWasNotRead(): void
    {
        $handler = $this->request();

        self::assertFalse($handler->write(self::ID, 'blind'));
        $handler->read(self::ID);
        self::assertFalse($handler->write(strrev(self::ID), 'another'));
        self::assertTrue($handler->write(self::ID, 'one'));
        self::assertFalse($handler->write(self::ID, 'two'), 'it was not read since');
        self::assertSame('one', $this->store->get('session:' . self::ID));
    }

    public function testARequestThatWritesNothingLeavesNothingBehind(): void
    {
        $first = $this->request();
        $first->read(self::ID);
        $first->close();

        $second = $this->request();
        self::assertSame('', $second->read(self::ID), 'neither the lock nor the key is held');
        $second->close();
        $second->read(self::ID);
        $second->open('', '');
        self::assertSame('', $this->request()->read(self::ID));
    }

    public function testAnUnchangedSessionIsOnlyTouched(): void
    {
        $this->keep('same');
        $version = $this->store->read('session:' . self::ID)->version;
        $handler = $this->request();
        $handler->read(self::ID);

        self::assertTrue($handler->updateTimestamp(self::ID, 'same'));
        self::assertSame($version, $this->store->read('session:' . self::ID)->version);
        $handler->close();
        self::assertSame('same', $this->request()->read(self::ID));
    }

    public function testANewSessionIsKeptEvenIfItIsEmpty(): void
    {
        $handler = $this->request();
        $handler->read(self::ID);

        self::assertTrue($handler->updateTimestamp(self::ID, ''));
        self::assertTrue($this->request()->validateId(self::ID));
    }

    public function testADestroyedSessionIsGone(): void
    {
        $this->keep('old');
        $handler = $this->request();
        $handler->read(self::ID);

        self::assertTrue($handler->destroy(self::ID));
        self::assertTrue($handler->destroy(self::ID));
        self::assertFalse($this->request()->validateId(self::ID));
        self::assertSame('', $this->request()->read(self::ID), 'its lock is free');
    }

    #[TestWith([''])]
    #[TestWith(['short'])]
    #[TestWith(['abcdefghijklmnopqrstuv.lock'])]
    #[TestWith(["abcdefghijklmnopqrstuv\n"])]
    #[TestWith(["abcdefghijk\0lmnopqrstuv"])]
    #[TestWith(['../../../../../etc/passwd'])]
    #[TestWith(["abcdefghijklmnopqrstuv\r\nset x 0 0 1"])]
    public function testAnIdThatPhpDoesNotMakeIsRefused(string $id): void
    {
        $handler = new Handler(self::untouched(), log: $this->log, counters: $this->counters);

        self::assertFalse($handler->validateId($id));
        self::assertFalse($handler->read($id));
        self::assertSame(Refusal::BadId, $handler->refusal());
        self::assertFalse($handler->updateTimestamp($id, ''));
        self::assertFalse($handler->destroy($id));
        self::assertFalse($handler->write($id, ''));
        self::assertSame(3, $this->counters->all()['larder_session_refusals_total{cause="bad_id"}'] ?? 0);
    }

    public function testAnIdOf256IsTakenAndNoLongerOne(): void
    {
        self::assertSame('', $this->request()->read(str_repeat('a', 256)));
        self::assertFalse($this->request()->read(str_repeat('a', 257)));
    }

    public function testItsIdsAreOnesThatItTakes(): void
    {
        $handler = $this->request();
        $id = $handler->create_sid();

        self::assertNotSame($id, $handler->create_sid());
        self::assertFalse($handler->validateId($id));
        self::assertSame('', $handler->read($id));
    }

    public function testWithoutAnAnswerNoSessionIsOpened(): void
    {
        $handler = new Handler(self::answering(new Answer(answered: false)), log: $this->log);

        self::assertFalse($handler->read(self::ID));
        self::assertSame(Refusal::Unanswered, $handler->refusal());
        self::assertTrue($handler->validateId(self::ID), 'a visitor stays logged in while the store is away');
    }

    public function testAnIdThatCouldNotBeCheckedMustHaveASession(): void
    {
        $silent = self::createStub(Store::class);
        $silent->method('read')->willReturn(new Answer(answered: false));
        $silent->method('getOrLease')->willReturn(new Answer(lease: 7));
        $handler = new Handler($silent, log: $this->log);
        self::assertTrue($handler->validateId(self::ID));

        self::assertFalse($handler->read(self::ID), 'the id may be an attacker\'s');
        self::assertSame(Refusal::Unanswered, $handler->refusal());
    }

    public function testWithoutRoomForALeaseNoSessionIsOpened(): void
    {
        $handler = new Handler(self::answering(new Answer(lease: 0)), log: $this->log);

        self::assertFalse($handler->read(self::ID));
        self::assertSame(Refusal::Unanswered, $handler->refusal());
    }

    #[TestWith([Outcome::Refused])]
    #[TestWith([Outcome::Unknown])]
    public function testASessionThatIsPerhapsNotStoredIsToldOf(Outcome $outcome): void
    {
        $store = self::answering(new Answer(lease: 7));
        $store->method('set')->willReturn($outcome);
        $store->method('touch')->willReturn($outcome);
        $store->method('delete')->willReturn($outcome);
        $handler = new Handler($store, log: $this->log);
        $handler->read(self::ID);

        self::assertFalse($handler->write(self::ID, 'x'));
        self::assertSame(Refusal::Unstored, $handler->refusal());
        $handler->open('', '');
        self::assertNull($handler->refusal());
        self::assertFalse($handler->updateTimestamp(self::ID, 'x'));
        self::assertFalse($handler->destroy(self::ID));
    }

    public function testGarbageIsTheStoresOwnMatter(): void
    {
        $this->keep('old');

        self::assertSame(0, $this->request()->gc(0));
        self::assertSame('old', $this->request()->read(self::ID));
    }

    public function testAStoreThatKeepsNothingIsRefused(): void
    {
        $this->expectException(SessionsNotKept::class);
        $this->expectExceptionMessage('This store keeps nothing');
        new Handler(new NullStore());
    }

    public function testAStoreThatDropsSessionsAtARestartIsRefused(): void
    {
        new Handler(RedisStore::on('127.0.0.1:1', 'site', survives: true));
        $values = RedisStore::on('127.0.0.1:1', 'site');
        foreach ([$values, TieredStore::over(new ArrayStore(), $values)] as $store) {
            try {
                new Handler($store);
                self::fail('It was taken');
            } catch (SessionsNotKept $exception) {
                self::assertStringContainsString('survives: true', $exception->getMessage());
            }
        }
    }

    #[TestWith([0.0, 5.0, 'The lease of a session'])]
    #[TestWith([NAN, 5.0, 'The lease of a session'])]
    #[TestWith([86_401.0, 5.0, 'The lease of a session'])]
    #[TestWith([1.0, -1.0, 'The wait for a session'])]
    #[TestWith([1.0, NAN, 'The wait for a session'])]
    public function testTimesHaveBounds(float $lease, float $wait, string $message): void
    {
        $this->expectException(ValueError::class);
        $this->expectExceptionMessage($message);
        new Handler($this->store, $lease, $wait);
    }

    /** @return iterable<string, array{string, string|null}> bytes, and the cause that is counted */
    public static function unreadable(): iterable
    {
        yield 'cut off' => ['s:9:"tex', 'unreadable'];
        yield 'of a class that is gone' => ['O:9:"GoneSince":0:{}', 'class_gone'];
        yield 'no text' => ['a:1:{i:0;i:1;}', null];
    }

    #[DataProvider('unreadable')]
    public function testASessionThatCannotBeReadBeginsAnewAndIsCounted(string $bytes, ?string $cause): void
    {
        $this->store = $store = new ArrayStore(log: $this->log, counters: $this->counters);
        $this->keep('old');
        $entries = (new ReflectionProperty($store, 'entries'))->getValue($store);
        self::assertInstanceOf(ArrayEntries::class, $entries);
        $entries->put('session:' . self::ID, $bytes, null);
        $request = $this->request();

        self::assertSame('', $request->read(self::ID));
        self::assertNull($request->refusal());
        self::assertTrue($request->write(self::ID, 'new'));
        $request->close();
        self::assertSame('new', $this->request()->read(self::ID));
        $series = $cause === null ? [] : ["larder_store_failures_total{cause=\"$cause\"}"];
        self::assertSame($series, array_keys(Counted::by($this->counters)));
    }

    private function request(): Handler
    {
        return new Handler($this->store, 3600.0, 0.0, log: $this->log, counters: $this->counters);
    }

    private function keep(string $data): void
    {
        $handler = $this->request();
        $handler->read(self::ID);
        self::assertTrue($handler->write(self::ID, $data));
        $handler->close();
    }

    /** As its end would: another request may take it. */
    private function loseLock(): void
    {
        $this->store->delete(self::LOCK);
    }

    private static function untouched(): Store
    {
        $store = self::createStub(Store::class);
        foreach (['has', 'read', 'getOrLease', 'set', 'cas', 'delete', 'touch'] as $method) {
            $store->method($method)->willThrowException(new \LogicException('asked of the store: ' . $method));
        }

        return $store;
    }

    private static function answering(Answer $answer): Store&\PHPUnit\Framework\MockObject\Stub
    {
        $store = self::createStub(Store::class);
        $store->method('getOrLease')->willReturn($answer);
        $store->method('read')->willReturn($answer);

        return $store;
    }
}
