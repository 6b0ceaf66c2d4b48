<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Outcome;
use Larder\Store;
use Larder\Tests\Store\Contract\Counting;
use Larder\Tests\Store\Contract\Endings;
use Larder\Tests\Store\Contract\KeysAndValues;
use Larder\Tests\Store\Contract\Leasing;
use Larder\Tests\Store\Contract\Lifetimes;
use Larder\Tests\Store\Contract\ManyKeys;
use Larder\Tests\Store\Contract\Versions;
use Larder\Tests\Store\Contract\Writing;
use PHPUnit\Framework\TestCase;

/** What every store must do. Each test starts with two handles on one namespace that has no keys. */
abstract class StoreContract extends TestCase
{
    use Counting;
    use Endings;
    use KeysAndValues;
    use Leasing;
    use Lifetimes;
    use ManyKeys;
    use Versions;
    use Writing;

    protected Store $store;
    protected Store $other;

    protected function setUp(): void
    {
        $this->store = $this->open('contract');
        $this->other = $this->open('contract');
        self::assertSame(Outcome::Done, $this->store->clear());
    }

    protected function tearDown(): void
    {
        if (isset($this->store)) {
            $this->store->clear();
        }
    }

    /** A handle; all that were opened with the same namespace in one test have the same keys. */
    abstract protected function open(string $namespace): Store;

    /** The shortest ttl or lease that this store tells from none, in seconds. */
    protected function tick(): float
    {
        return 0.2;
    }
}
