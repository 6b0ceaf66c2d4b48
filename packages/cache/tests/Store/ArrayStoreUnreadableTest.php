<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Metrics\Counters;
use Larder\Store;
use Larder\Store\ArrayEntries;
use Larder\Store\ArrayStore;
use Larder\Store\StoredBytes;
use Larder\SystemClock;
use Larder\Tests\Store\Contract\Damaged;
use Larder\Tests\Store\Contract\UnreadableContract;
use Override;
use PHPUnit\Framework\Attributes\CoversClass;
use Psr\Log\LoggerInterface;
use ReflectionProperty;

#[CoversClass(ArrayStore::class)]
#[CoversClass(StoredBytes::class)]
final class ArrayStoreUnreadableTest extends UnreadableContract
{
    use Damaged;

    private ?ArrayStore $store = null;

    protected function open(LoggerInterface $log, Counters $counters): Store
    {
        return $this->store ??= new ArrayStore(new SystemClock(), log: $log, counters: $counters);
    }

    protected function damage(string $key, string $how): void
    {
        $this->entries()->put($key, match ($how) {
            'cut off' => 'a:2:{i:0;s:4:"te',
            'by another serializer' => '["text","text"]',
            default => (string) gzcompress(serialize(['text', 'text'])),
        }, null);
    }

    /** Its memory is this process's alone, so the other one hands over the bytes. */
    #[Override]
    protected function stored(string $classes, string $value, callable $store): void
    {
        $file = (string) tempnam(sys_get_temp_dir(), 'unreadable');
        parent::stored($classes, $value, function (Store $other, mixed $value) use ($store, $file): void {
            $store($other, $value);
            $entries = new ReflectionProperty(ArrayEntries::class, 'entries');
            file_put_contents($file, serialize($entries->getValue($this->entries())));
        });
        $entries = unserialize((string) file_get_contents($file));
        unlink($file);
        self::assertIsArray($entries);
        $this->open($this->log, $this->counters);
        foreach ($entries as $key => $entry) {
            \assert(\is_array($entry) && \is_string($entry['value']));
            $this->entries()->put((string) $key, $entry['value'], null);
        }
    }

    private function entries(): ArrayEntries
    {
        $entries = (new ReflectionProperty(ArrayStore::class, 'entries'))->getValue($this->store);
        \assert($entries instanceof ArrayEntries);

        return $entries;
    }
}
