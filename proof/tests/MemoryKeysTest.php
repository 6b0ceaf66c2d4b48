<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Proof\Memory\MemoryKeys;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(MemoryKeys::class)]
final class MemoryKeysTest extends TestCase
{
    public function testNoKeyBelongsToTwoWorkers(): void
    {
        $keys = new MemoryKeys(400, 4);
        $owners = array_fill(0, 400, []);
        for ($worker = 0; $worker < 4; ++$worker) {
            for ($i = 0; $i < 500; ++$i) {
                $owners[$keys->single($worker)]["single $worker"] = true;
                $owners[$keys->counter($worker)]["counter $worker"] = true;
            }
            for ($key = $keys->bulk($worker); $key < $keys->bulk($worker) + MemoryKeys::BULK; ++$key) {
                $owners[$key]["bulk $worker"] = true;
            }
        }

        self::assertSame([1], array_values(array_unique(array_map(\count(...), $owners))));
        foreach ($owners as $key => $owner) {
            self::assertSame($keys->isCounter($key), str_starts_with((string) array_key_first($owner), 'counter'));
            self::assertTrue($keys->isOurs($keys->name($key)));
        }
        self::assertCount(400, array_unique(array_map($keys->name(...), range(0, 399))));
        self::assertFalse($keys->isOurs('sealed:'));
    }
}
