<?php

declare(strict_types=1);

namespace Larder\Tests\Store\Contract;

use PHPUnit\Framework\Attributes\DataProvider;

/** The same for bytes that are damaged or in another form, in a store whose bytes others can reach. */
trait Damaged
{
    /**
     * Puts other bytes in place of a stored array of strings.
     *
     * @param 'cut off'|'by another serializer'|'by another compressor' $how
     */
    abstract protected function damage(string $key, string $how): void;

    /** @return iterable<string, array{'cut off'|'by another serializer'|'by another compressor'}> */
    final public static function damages(): iterable
    {
        yield 'cut off' => ['cut off'];
        yield 'by another serializer' => ['by another serializer'];
        yield 'by another compressor' => ['by another compressor'];
    }

    /** @param 'cut off'|'by another serializer'|'by another compressor' $how */
    #[DataProvider('damages')]
    final public function testWhatIsDamagedIsAMissAndIsSaid(string $how): void
    {
        $store = $this->open($this->log, $this->counters);
        $store->setMultiple(['k' => ['text', 'text'], 'l' => ['text', 'text'], 'whole' => 'whole']);
        $this->damage('k', $how);
        $this->damage('l', $how);

        $this->assertUnreadable($store, 'unreadable', '', 1);
    }
}
